import { expect, test } from '@jest/globals';
import { statementName } from './span-name.ts';

test.each([
  ['SELECT * FROM directory.users WHERE id = $1', 'SELECT directory.users'],
  ['  select 1', 'SELECT'],
  ['INSERT INTO "auth"."grants" ("id") VALUES ($1)', 'INSERT auth.grants'],
  ['UPDATE auth.sessions s SET x = 1 FROM auth.grants g', 'UPDATE auth.sessions'],
  ['DELETE FROM ONLY auth.sessions', 'DELETE auth.sessions'],
  ['BEGIN ISOLATION LEVEL serializable', 'BEGIN'],
  ['WITH new AS (INSERT INTO a.b VALUES (1) RETURNING id) SELECT * FROM new', 'INSERT a.b'],
  ['WITH c AS (SELECT 1 AS id), new AS (\n UPDATE a.b SET x = 1 RETURNING id) SELECT FROM new', 'UPDATE a.b'],
  ['WITH new AS (SELECT 1) SELECT * FROM new', 'SELECT new'],
  ['WITH e AS (SELECT 1) INSERT INTO a.b SELECT * FROM e', 'INSERT a.b'],
  ['WITH a AS (INSERT INTO x.events VALUES (1)) INSERT INTO x.deliveries SELECT 1', 'INSERT x.deliveries'],
  ['', 'SQL'],
])('The statement %s is called %s.', (text, name) => {
  expect(statementName(text).summary).toBe(name);
});

test('The name of a statement never contains data, and is the same object the second time.', () => {
  const text = "SELECT * FROM a.b WHERE name = 'alice@example.com'";
  expect(statementName(text)).toEqual({ summary: 'SELECT a.b', operation: 'SELECT', collection: 'a.b' });
  expect(statementName(text)).toBe(statementName(text));
});
