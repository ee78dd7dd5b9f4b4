import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { undeclaredSql } from '../../src/testing.ts';

/** Files that send SQL without declaring it; none of it reads or writes data of the services. */
const plumbing: Record<string, string> = {
  'connection/listener.ts': 'LISTEN and UNLISTEN have names where statements have parameters',
  'connection/pool.ts': 'hands on what others send; settings of a session',
  'connection/readiness.ts': 'asks whether the server takes writes',
  'connection/supported.ts': 'asks which process of the server answers',
  'connection/term.ts': 'asks a server which of several it is',
  'database.ts': 'asks whether the database answers',
  'migration/migrate.ts': 'grants to the runtime role, in a migration',
  'migration/schema-engine.ts': 'hands on what the schema engine sends',
  'migration/scratch.ts': 'CREATE and DROP DATABASE',
  'replica/replica-reader.ts': 'asks the primary where its log ends, and a standby how far it has replayed',
  'rows-read.ts': 'counts for tests what is read, by the statistics of PostgreSQL',
  'sql.ts': 'hands on what others send',
  'statements/composed.ts': 'sends what is declared',
  'statements/describe.ts': 'asks the catalogue what a statement is',
  'statements/plans.ts': 'EXPLAIN of what is declared',
  'statements/source.ts': 'asks the catalogue what a schema has',
  'statements/statement.ts': 'sends what is declared',
  'tables/scan.ts': 'begins and ends READ ONLY transactions; hands on what others send',
  'testing.ts': 'makes databases for tests, and counts their rows',
  'transaction.ts': 'BEGIN, COMMIT and ROLLBACK; hands on what others send',
};

test('Only plumbing sends SQL that no statement declares.', async () => {
  const places = await undeclaredSql(join(import.meta.dirname, '../../src'));
  const files = [...new Set(places.map((place) => place.slice(0, place.lastIndexOf(':'))))].sort();
  expect(files).toEqual(Object.keys(plumbing).sort());
});
