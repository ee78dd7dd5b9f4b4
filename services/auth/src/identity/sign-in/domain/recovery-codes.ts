import { randomInt } from 'node:crypto';
import { keyedDigest } from '../../../tenancy/index.ts';

/** Without characters that look alike. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';
const length = 10;
const howMany = 10;

/** Returns ten codes of ten characters, about 50 bits each. The number of guesses is limited. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: howMany }, () => {
    const code = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
    return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
  });

/** Returns a typed recovery code in canonical form; undefined if it cannot be one. */
export function readRecoveryCode(typed: string): string | undefined {
  if (typed.length > 64) return undefined;
  const code = typed.toLowerCase().replace(/[\s-]/g, '');
  return code.length === length && [...code].every((letter) => alphabet.includes(letter)) ? code : undefined;
}

/** Returns a digest that is bound to the user. */
export const recoveryCodeDigest = (key: Buffer, tenant: string, subjectId: string, code: string): Buffer =>
  keyedDigest(key, `${tenant}\0${subjectId}\0${code.replace('-', '')}`);
