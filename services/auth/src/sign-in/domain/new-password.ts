import type { SubjectProfile } from '../../subjects/index.ts';
import { isGuessable } from './blocked-passwords.ts';

/** Longest password that is hashed, in UTF-8 bytes: long enough for any passphrase, too short to be a burden. */
export const maxPasswordBytes = 1024;

export type PasswordFault = 'too_short' | 'too_long' | 'guessable' | 'unchanged' | 'different';

declare const acceptable: unique symbol;
/** A password that somebody may have. Only `checkNewPassword` makes one, and only such a one is hashed. */
export type AcceptablePassword = string & { readonly [acceptable]: true };

export interface NewPassword {
  password: string;
  /** As typed a second time, where somebody types it. */
  repeated?: string;
  /** Characters it must have. */
  minLength: number;
  /** The person's names: user name, display name, addresses. */
  names: readonly string[];
  /** What the tenant doesn't want in passwords, its own name included. */
  tenantWords: readonly string[];
}

/**
 * Every way to a password goes through here: the account page, recovery, invitations, identity sources. Length is what counts
 * (NIST SP 800-63B §3.1.1.2): no rules about characters, but nothing that was in a breach, and not one's own name either.
 */
export function checkNewPassword(
  o: NewPassword,
): { password: AcceptablePassword } | { fault: PasswordFault } {
  const fault = faultOf(o);
  return fault === undefined ? { password: o.password as AcceptablePassword } : { fault };
}

function faultOf(o: NewPassword): PasswordFault | undefined {
  const normal = o.password.normalize('NFC');
  const characters = [...normal];
  if (Buffer.byteLength(normal) > maxPasswordBytes) return 'too_long';
  if (characters.length < o.minLength) return 'too_short';
  // One thing again and again is long only to look at.
  if (o.minLength > 4 && new Set(characters).size < 5) return 'guessable';
  if (isGuessable(normal, [...o.names, ...o.tenantWords])) return 'guessable';
  return o.repeated === undefined || o.password === o.repeated ? undefined : 'different';
}

/** What a tenant doesn't want in passwords: its own name, and the words it set. */
export const tenantWordsOf = (tenant: {
  id: string;
  name: string;
  policy: { bannedPasswordWords: readonly string[] };
}): string[] => [tenant.id, tenant.name, ...tenant.policy.bannedPasswordWords];

/** What a password must not be made of. */
export const namesOf = (profile: SubjectProfile | undefined): string[] =>
  profile
    ? [
        profile.userName,
        ...(profile.displayName === undefined ? [] : [profile.displayName]),
        ...profile.emails.map((email) => email.value),
      ]
    : [];
