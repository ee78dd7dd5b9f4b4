import { randomInt } from 'node:crypto';
import { keyedDigest } from '../../keys/index.ts';

/** No letters that look like digits or like each other. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';
const length = 10;
const howMany = 10;

/** Ten codes of ten characters: fifty bits each, of which a handful may be guessed. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: howMany }, () => {
    const code = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
    return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
  });

/** A recovery code as typed, without what people add or change; undefined when it can't be one. */
export function readRecoveryCode(typed: string): string | undefined {
  if (typed.length > 64) return undefined;
  const code = typed.toLowerCase().replace(/[\s-]/g, '');
  return code.length === length && [...code].every((letter) => alphabet.includes(letter)) ? code : undefined;
}

/** Bound to its person: the same code of another is another digest. */
export const recoveryCodeDigest = (key: Buffer, tenant: string, subjectId: string, code: string): Buffer =>
  keyedDigest(key, `${tenant}\0${subjectId}\0${code.replace('-', '')}`);
