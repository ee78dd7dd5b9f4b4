import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { apiScopes, openedByOwnToken } from '@ostiary/access';

const matrix = JSON.parse(
  readFileSync(new URL('../authorization/matrix.json', import.meta.url), 'utf8'),
) as Record<string, { rule: string }>;

test('What the token of any user opens of the user’s own is counted in what a client without consent confers.', () => {
  const opened = Object.entries(matrix).flatMap(([field, { rule }]) => {
    const alternatives = rule.split(' | ');
    const isOwn = alternatives.some((one) => one === 'user' || one.startsWith('owner '));
    const scopes = alternatives.filter((one) => Object.hasOwn(apiScopes, one));
    return isOwn && scopes.length > 0 ? [{ field, scopes }] : [];
  });
  expect(opened.length).toBeGreaterThan(50);
  const counted: readonly string[] = openedByOwnToken;
  const missing = opened.filter(({ scopes }) => !scopes.some((scope) => counted.includes(scope)));
  expect(missing).toEqual([]);
  // And nothing is counted that no such token opens.
  const unneeded = counted.filter((scope) => !opened.some(({ scopes }) => scopes.includes(scope)));
  expect(unneeded).toEqual([]);
});
