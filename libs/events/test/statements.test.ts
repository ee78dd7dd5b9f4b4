import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { checkStatements, createTestDatabase, statementsIn, undeclaredSql } from '@ostiary/database/testing';
import { directory, schema } from './fixture.ts';

const source = join(import.meta.dirname, '../src');

test('Every statement of outbox and inbox agrees with their tables.', async () => {
  const { url, drop } = await createTestDatabase({ schema, directory });
  const statements = await statementsIn(source, { url, schema });
  const names = statements.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['inbox.add', 'outbox.append', 'outbox.lockOldest']));
  expect(await checkStatements(url, statements)).toEqual([]);
  await drop();
});

test('SQL is sent by declared statements, which state their reason.', async () => {
  expect(await undeclaredSql(source)).toEqual([]);
});
