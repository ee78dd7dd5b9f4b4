import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type EnumTypeDefinitionNode, parse } from 'graphql';
import { departurePage, pagePath } from './departure/page.ts';
import { reported } from './departure/reported.ts';
import { columns, doors, expected } from './departure/table.ts';
import { triggers } from './departure/triggers.ts';

const authSchema = new URL('../services/auth/src/graph/schema.graphql', import.meta.url);

test('docs/departure.md is what the table in the tests says', () => {
  expect(readFileSync(pagePath, 'utf8')).toBe(departurePage());
});

test('every trigger has its column, every column a trigger, and no cell is about a door that does not exist', () => {
  const names = doors.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(triggers.map(({ column }) => column))).toEqual(new Set(columns.map(({ name }) => name)));
  for (const { name, doors: exceptions } of columns) {
    for (const door of Object.keys(exceptions))
      expect([name, names]).toEqual([name, expect.arrayContaining([door])]);
  }
});

/** What a person alone owned isn't a door to them: `services/auth/test/people/owned-credentials.test.ts` closes these. */
const ownedCredentials = ['API_KEYS', 'CLIENTS', 'CONNECTORS', 'SERVICE_ACCOUNTS'];

test('the report of a departure has an entry for every door that one closes, and none that closes nothing', () => {
  const leaves = columns.find(({ name }) => name === 'leaves');
  if (!leaves) throw new Error('nobody leaves');
  const closing = doors.filter(({ name }) => typeof expected(leaves, name) === 'string');
  expect([...reported.keys()].sort()).toEqual(closing.map(({ name }) => name).sort());
  const { definitions } = parse(readFileSync(authSchema, 'utf8'));
  const names = definitions.find(
    (one): one is EnumTypeDefinitionNode =>
      one.kind === 'EnumTypeDefinition' && one.name.value === 'DoorName',
  );
  // What they allowed apps is what the codes and tokens rest on, and no door by itself.
  expect(names?.values?.map(({ name }) => name.value).sort()).toEqual(
    [...new Set(reported.values()), 'GRANTS', ...ownedCredentials].sort(),
  );
});
