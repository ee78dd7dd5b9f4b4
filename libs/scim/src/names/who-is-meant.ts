import { foldCase } from '../text.ts';
import { userNameKey } from './mapping.ts';

/**
 * Returns the keys that a typed text may mean: the text itself, and without surrounding spaces, the likelier
 * first.
 */
export function keysOfTyped(typed: string): string[] {
  return [...new Set([userNameKey(typed), userNameKey(typed.trim())])];
}

/** Reports whether a name was typed as written, except for case; no other user's name is then closer. */
export const isTypedAsWritten = (typed: string, userName: string): boolean =>
  foldCase(userName) === foldCase(typed);

/**
 * Returns the user of a typed name, among those whose key is one of `keysOfTyped`; undefined if it is
 * ambiguous. Several users share a key only if their names predate the comparison by key: each is then found
 * by the exact name, and other spellings find no other user.
 */
export function userMeant<T>(
  typed: string,
  people: readonly T[],
  userNameOf: (person: T) => string,
): T | undefined {
  const ways: ((userName: string) => boolean)[] = [
    (userName) => userName === typed,
    (userName) => isTypedAsWritten(typed, userName),
    (userName) => userNameKey(userName) === userNameKey(typed),
    (userName) => userName === typed.trim(),
    (userName) => isTypedAsWritten(typed.trim(), userName),
    () => true,
  ];
  for (const is of ways) {
    const [found, ...others] = people.filter((person) => is(userNameOf(person)));
    if (found !== undefined) return others.length === 0 ? found : undefined;
  }
  return undefined;
}
