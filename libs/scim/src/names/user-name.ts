import { followsBidiRule } from './bidi-rule.ts';
import { refusedCodePoint } from './identifier-class.ts';
import { isStable, userNameKey } from './mapping.ts';
import { describe } from './shown-text.ts';

/** Printable ASCII in parts separated by one space: nearly all user names. */
const plain = /^[\u0021-\u007e]+(?: [\u0021-\u007e]+)*$/;

/**
 * Returns the reason why a user name is invalid by RFC 8265 §3.3 and §3.1 (parts in the IdentifierClass with
 * single spaces between them), or undefined. It checks the key, so that equal names are accepted or rejected
 * together.
 */
export function userNameProblem(userName: string): string | undefined {
  if (plain.test(userName)) return undefined;
  const key = userNameKey(userName);
  if (key === '') return 'A userName must have at least one character.';
  const parts = key.split(' ');
  if (parts.includes('')) {
    return 'A userName must not begin or end with a space, or contain consecutive spaces.';
  }
  for (const part of parts) {
    const refused = refusedCodePoint(part);
    if (refused !== undefined) {
      return `A userName cannot contain ${describe(refused)} here (RFC 8265 §3.3).`;
    }
    if (!followsBidiRule(part)) {
      return 'A userName with right-to-left letters must be right-to-left from its first character to its last (RFC 5893 §2).';
    }
  }
  return isStable(key) ? undefined : 'This userName has no stable form (RFC 8264 §7).';
}
