import { userNameKey } from '@ostiary/scim';
import { maxPasswordBytes } from './password.ts';

export type PasswordFault = 'too_short' | 'too_long' | 'guessable' | 'unchanged' | 'different';

/**
 * What speaks against a new password. Length is what counts (NIST SP 800-63B §3.1.1.2): no rules about
 * characters, but not one's own name either.
 */
export function passwordFault(o: {
  password: string;
  repeated: string;
  minLength: number;
  /** The person's names: user name, display name, addresses. */
  names: readonly string[];
}): PasswordFault | undefined {
  const characters = [...o.password.normalize('NFC')];
  if (Buffer.byteLength(o.password.normalize('NFC')) > maxPasswordBytes) return 'too_long';
  if (characters.length < o.minLength) return 'too_short';
  // A name, or one thing again and again, is long only to look at.
  if (new Set(characters).size < 5) return 'guessable';
  const plain = userNameKey(o.password);
  const named = o.names.some((name) => name.length > 3 && plain.replaceAll(userNameKey(name), '').length < 4);
  if (named) return 'guessable';
  return o.password === o.repeated ? undefined : 'different';
}
