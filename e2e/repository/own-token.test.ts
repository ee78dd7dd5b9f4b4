import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { apiScopes, openedByOwnToken } from '@ostiary/access';

const matrix = JSON.parse(
  readFileSync(new URL('../authorization/matrix.json', import.meta.url), 'utf8'),
) as Record<string, { rule: string }>;

test("The scopes that any user's token opens for the user's own data are counted as rights of a client without consent.", () => {
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
  // A scope is counted only if such a token opens a field with it.
  const unneeded = counted.filter((scope) => !opened.some(({ scopes }) => scopes.includes(scope)));
  expect(unneeded).toEqual([]);
});
