import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { readSchema } from '@ostiary/graph';
import { type EnumTypeDefinitionNode, type ObjectTypeDefinitionNode, parse } from 'graphql';
import { offboardingPage, pagePath } from './page.ts';
import { reported } from './reported.ts';
import { columns, doors, expected } from './table.ts';
import { taking } from './taking.ts';
import { triggers } from './triggers.ts';

const authSchema = new URL('../../services/auth/src/', import.meta.url);

test('The page docs/reference/departure.md matches the table in the tests.', () => {
  expect(readFileSync(pagePath, 'utf8')).toBe(offboardingPage());
});

test('Every trigger has its column, every column a trigger, and every cell an existing access path.', () => {
  const names = doors.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(triggers.map(({ column }) => column))).toEqual(new Set(columns.map(({ name }) => name)));
  for (const { name, doors: exceptions } of columns) {
    for (const door of Object.keys(exceptions))
      expect([name, names]).toEqual([name, expect.arrayContaining([door])]);
  }
});

/** Credentials of others, which `services/auth/test/access/ownership/{owned-credentials,known-secrets}.test.ts` covers. */
const ownedCredentials = ['SERVICE_ACCOUNTS', 'INITIAL_ACCESS_TOKENS', 'KNOWN_SECRETS'];

test('The report of a departure has an entry for every access path that offboarding closes and for no other.', () => {
  const leaves = columns.find(({ name }) => name === 'offboarded');
  if (!leaves) throw new Error('nobody leaves');
  const closing = doors.filter(({ name }) => typeof expected(leaves, name) === 'string');
  expect([...reported.keys()].sort()).toEqual(closing.map(({ name }) => name).sort());
  const { definitions } = parse(readSchema(authSchema));
  const names = definitions.find(
    (one): one is EnumTypeDefinitionNode =>
      one.kind === 'EnumTypeDefinition' && one.name.value === 'DoorName',
  );
  // Grants are the basis of codes and tokens, and no access path themselves.
  expect(names?.values?.map(({ name }) => name.value).sort()).toEqual(
    [...new Set(reported.values()), 'GRANTS', ...ownedCredentials].sort(),
  );
});

test('Every mutation declares the issued credentials that it revokes and where that is tested.', () => {
  const { definitions } = parse(
    readFileSync(new URL('../../gateway/supergraph.graphql', import.meta.url), 'utf8'),
  );
  const mutations = definitions.find(
    (one): one is ObjectTypeDefinitionNode =>
      one.kind === 'ObjectTypeDefinition' && one.name.value === 'Mutation',
  );
  // A new mutation that revokes credentials belongs in a column, or has its own test: e2e/departure/taking.ts.
  expect(Object.keys(taking).sort()).toEqual(mutations?.fields?.map(({ name }) => name.value).sort());
  for (const [mutation, takes] of Object.entries(taking)) {
    if (takes === 'nothing') continue;
    if ('columns' in takes) {
      const names = columns.map(({ name }) => name);
      for (const column of takes.columns)
        expect([mutation, names]).toEqual([mutation, expect.arrayContaining([column])]);
    } else {
      const text = readFileSync(new URL(`../../${takes.test}`, import.meta.url), 'utf8');
      expect([mutation, new RegExp(`\\b${mutation}\\b`).test(text)]).toEqual([mutation, true]);
    }
  }
});
