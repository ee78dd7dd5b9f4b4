import type { SubjectProfile } from '../../../tenancy/index.ts';
import { isGuessable } from './blocked-passwords.ts';

/** Maximum length of a password in UTF-8 bytes: sufficient for passphrases, and limits the cost of a hash. */
export const maxPasswordBytes = 1024;

export type PasswordFault = 'too_short' | 'too_long' | 'guessable' | 'unchanged' | 'different';

declare const acceptable: unique symbol;
/** A password that passed `checkNewPassword`. Only such passwords are hashed for storage. */
export type AcceptablePassword = string & { readonly [acceptable]: true };

export interface NewPassword {
  password: string;
  /** Second input of the password, if the form has one. */
  repeated?: string;
  /** Minimum number of characters. */
  minLength: number;
  /** Names of the user: user name, display name, addresses. */
  names: readonly string[];
  /** Words that the tenant bans in passwords, including its name. */
  tenantWords: readonly string[];
}

/**
 * Checks every new password: account page, recovery, invitations and identity sources. Requires length (NIST SP
 * 800-63B §3.1.1.2) without composition rules, and rejects breached passwords and the user's own names.
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
  // Rejects long repetitions of few characters.
  if (o.minLength > 4 && new Set(characters).size < 5) return 'guessable';
  if (isGuessable(normal, [...o.names, ...o.tenantWords])) return 'guessable';
  return o.repeated === undefined || o.password === o.repeated ? undefined : 'different';
}

/** Returns the words that the tenant bans in passwords: its id, its name and the configured words. */
export const tenantWordsOf = (tenant: {
  id: string;
  name: string;
  policy: { bannedPasswordWords: readonly string[] };
}): string[] => [tenant.id, tenant.name, ...tenant.policy.bannedPasswordWords];

/** Returns the names of the user that a password must not consist of. */
export const namesOf = (profile: SubjectProfile | undefined): string[] =>
  profile
    ? [
        profile.userName,
        ...(profile.displayName === undefined ? [] : [profile.displayName]),
        ...profile.emails.map((email) => email.value),
      ]
    : [];
