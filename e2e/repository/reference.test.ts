import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { oidcScopes, selfScopes } from '@ostiary/access';
import { eventTypes } from '@ostiary/events';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8');

/** Returns the code spans of the first cells of the tables in one section of a page. */
function listed(page: string, heading: string): string[] {
  const section = read(`docs/reference/${page}`).split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
}

/** Returns the string literals of a source file between a beginning and the next occurrence of an end. */
function literals(path: string, beginning: string, end: string): string[] {
  const text = read(path).split(beginning)[1]?.split(end)[0] ?? '';
  return [...text.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
}

test('The page docs/reference/errors.md lists every error code of OAuth.', () => {
  const codes = literals(
    'services/auth/src/platform/protocol/domain/errors.ts',
    'type OAuthErrorCode =',
    ';',
  );
  expect(codes.length).toBeGreaterThan(20);
  expect(listed('errors.md', 'OAuth 2.1 and OpenID Connect')).toEqual(['error', ...codes]);
});

test('The page docs/reference/errors.md lists every error and problem code of GraphQL.', () => {
  const shown = literals('libs/graph/src/errors/mask.ts', 'const shownCodes = new Set([', ']');
  const problems = read('libs/graph/src/types/problems.ts').split('enum ProblemCode {')[1]?.split('}')[0];
  const codes = [...(problems ?? '').matchAll(/^ {2}([A-Z_]+)$/gm)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(4);
  expect(listed('errors.md', 'GraphQL')).toEqual([...shown, 'INTERNAL_SERVER_ERROR', ...codes]);
});

test('The page docs/reference/errors.md lists every scimType.', () => {
  const types = literals('libs/scim/src/errors.ts', 'type ScimType =', ';');
  expect(listed('errors.md', 'SCIM')).toEqual(['scimType', ...types]);
});

test('The page docs/reference/events.md lists every directory event and live event.', () => {
  expect(listed('events.md', 'Directory events')).toEqual(eventTypes);
  const named = literals('libs/events/src/live.ts', 'type LiveEventType =', ';');
  const directory: readonly string[] = eventTypes;
  // The union excludes the directory events that it names.
  const live = [
    ...directory.filter((type) => !named.includes(type)),
    ...named.filter((type) => !directory.includes(type)),
  ];
  expect(listed('events.md', 'Live events')).toEqual(expect.arrayContaining(live));
  expect(listed('events.md', 'Live events')).toHaveLength(live.length);
});

test('The page docs/reference/roles.md lists every scope that a user can grant.', () => {
  expect(listed('roles.md', 'OpenID Connect scopes')).toEqual(Object.keys(oidcScopes));
  expect(listed('roles.md', 'Self-service scopes')).toEqual(Object.keys(selfScopes));
});
