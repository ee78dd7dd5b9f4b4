import { followsBidiRule } from './bidi-rule.ts';
import { refusedCodePoint } from './identifier-class.ts';
import { isStable, userNameKey } from './mapping.ts';
import { describe } from './shown-text.ts';

/** Printable ASCII in parts with one space between them: what nearly every user name is. */
const plain = /^[\u0021-\u007e]+(?: [\u0021-\u007e]+)*$/;

/**
 * Why nobody may be given this user name; undefined when it is one by RFC 8265 §3.3 and §3.1: parts in the
 * IdentifierClass with single spaces between them. Judged is the key, so that names that are one are allowed or refused
 * together.
 */
export function userNameProblem(userName: string): string | undefined {
  if (plain.test(userName)) return undefined;
  const key = userNameKey(userName);
  if (key === '') return 'A userName has at least one character.';
  const parts = key.split(' ');
  if (parts.includes('')) {
    return 'A userName neither begins nor ends with a space, and has no two of them together.';
  }
  for (const part of parts) {
    const refused = refusedCodePoint(part);
    if (refused !== undefined) {
      return `A userName can't contain ${describe(refused)} here (RFC 8265 §3.3).`;
    }
    if (!followsBidiRule(part)) {
      return 'A userName with letters written from right to left must be so from its first character to its last (RFC 5893 §2).';
    }
  }
  return isStable(key) ? undefined : 'This userName has no stable form (RFC 8264 §7).';
}
