import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { parse, visit } from 'graphql';
import { composeApi } from '../../src/schema/graph/compose.ts';
import {
  breakingChanges,
  deprecatedWithoutSunset,
  releasedApiPath,
  unreleasable,
} from '../../src/schema/graph/evolution.ts';

let api: string;
beforeAll(async () => {
  api = await composeApi();
});

const today = new Date().toISOString().slice(0, 10);

test('The API has no unannounced breaking change since the last release.', async () => {
  expect(await breakingChanges(await readFile(releasedApiPath, 'utf8'), api, today)).toEqual([]);
});

test('Every deprecation in the API states its sunset.', () => {
  expect(deprecatedWithoutSunset(api)).toEqual([]);
});

test('Every element of the API has a description.', () => {
  const undescribed: string[] = [];
  const path: string[] = [];
  visit(parse(api), {
    enter(node) {
      if (!('description' in node) || !('name' in node)) return;
      path.push(node.name?.value ?? 'schema');
      if (!node.description?.value.trim()) undescribed.push(path.join('.'));
    },
    leave(node) {
      if ('description' in node && 'name' in node) path.pop();
    },
  });
  expect(undescribed).toEqual([]);
});

const released = `
  type Query { user(id: ID!, at: String): User  old: Legacy @deprecated(reason: "Use user. sunset: 2026-06-30") }
  type User { id: ID! name: String nick: String @deprecated(reason: "Use name. sunset: 2026-06-30") }
  type Legacy { part: LegacyPart } type LegacyPart { id: ID! }
  enum Kind { A B @deprecated(reason: "Nobody is B. sunset: 2026-06-30") }
  input Filter { kind: Kind nickOf: ID @deprecated(reason: "sunset: 2026-06-30") }
  type Mutation { rename(filter: Filter): User }
`;
const change = (from: string, to: string): string => {
  expect(released).toContain(from);
  return released.replace(from, to);
};
const removed = (pattern: RegExp): string => {
  expect(released).toMatch(pattern);
  return released.replace(pattern, '');
};

test.each([
  ['a field is removed', removed(/name: String /), "'name' was removed"],
  ['an argument is removed', removed(/, at: String/), 'at'],
  ['an argument becomes required', change('at: String', 'at: String!'), 'at'],
  ['a required argument is added', change('at: String', 'at: String, by: ID!'), 'by'],
  ['a field becomes nullable', change('id: ID! name', 'id: ID name'), 'User.id'],
  ['a value of an enum is removed', removed(/A (?=B)/), 'A'],
  ['an input field becomes required', change('kind: Kind nickOf', 'kind: Kind! nickOf'), 'Filter.kind'],
  ['a type is removed', removed(/type LegacyPart .*/).replace('LegacyPart', 'ID'), 'LegacyPart'],
  ['the mutation type is removed', removed(/type Mutation .*/), 'Mutation'],
])('A schema change is reported as breaking: %s.', async (_name, current, what) => {
  const problems = await breakingChanges(released, current, '2026-06-01');
  expect(problems.join()).toContain(what);
});

test.each([
  ['a field is added', change('name: String', 'name: String age: Int')],
  ['an optional argument is added', change('at: String', 'at: String, by: ID')],
  ['a type is added', `${released} type More { id: ID! }`],
])('A schema change is not reported as breaking: %s.', async (_name, current) => {
  expect(await breakingChanges(released, current, '2026-06-01')).toEqual([]);
});

test.each([
  ['a field', removed(/nick: String @deprecated\([^)]*\) /)],
  ['a value of an enum', removed(/B @deprecated\([^)]*\) /)],
  ['an input field', removed(/nickOf: ID @deprecated\([^)]*\) /)],
  [
    'a field with the types only it led to',
    removed(/old: Legacy @deprecated\([^)]*\) /).replace(/type Legacy .*/, ''),
  ],
])('The removal of %s is allowed from its sunset on, and not before.', async (_name, current) => {
  expect(await breakingChanges(released, current, '2026-06-29')).not.toEqual([]);
  expect(await breakingChanges(released, current, '2026-06-30')).toEqual([]);
});

test('The released schema loses only announced elements, and only in a new release.', async () => {
  const announced = removed(/nick: String @deprecated\([^)]*\) /);
  const unannounced = removed(/name: String /);
  const added = change('name: String', 'name: String age: Int');
  const allowed = async (current: string, newRelease: boolean, today = '2026-06-30') =>
    (await unreleasable(released, current, { today, newRelease })).length === 0;
  expect([await allowed(added, false), await allowed(added, true)]).toEqual([true, true]);
  expect([await allowed(announced, false), await allowed(announced, true)]).toEqual([false, true]);
  expect(await allowed(announced, true, '2026-06-29')).toBe(false);
  expect([await allowed(unannounced, false), await allowed(unannounced, true)]).toEqual([false, false]);
});

test('A deprecation without a sunset, or with a malformed one, is reported.', () => {
  expect(deprecatedWithoutSunset(released)).toEqual([]);
  const api = `
    type Query { a(x: Int @deprecated(reason: "no")): Int @deprecated b: Int @deprecated(reason: "sunset: soon") }
    enum Kind { A B @deprecated(reason: "sunset: 2026-99-99") }`;
  expect(deprecatedWithoutSunset(api)).toEqual(['Query.a', 'Query.x', 'Query.b', 'Kind.B']);
});
