import { foldCase } from '../text.ts';
import { userNameKey } from './mapping.ts';

/** What a user may mean who types this: the name itself, and without the spaces around it. Keys, the likelier first. */
export function keysOfTyped(typed: string): string[] {
  return [...new Set([userNameKey(typed), userNameKey(typed.trim())])];
}

/** Whether a name was typed as it is written, but for case: then nobody else's is nearer to it. */
export const isTypedAsWritten = (typed: string, userName: string): boolean =>
  foldCase(userName) === foldCase(typed);

/**
 * The one person whom a typed user name means, of those whose key is one of `keysOfTyped`; undefined when it could be several.
 * More than one have a key only since before names were compared by it: then each is still found by their own name, as it was,
 * and who types it in another way is not sent to another user.
 */
export function whoIsMeant<T>(
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
