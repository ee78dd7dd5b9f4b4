import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The first migration that must be compatible: earlier ones predate the first release. */
const firstThatMayBeUpgradedFrom = '20261123120000';

/** Statements that break a version without knowledge of the change. */
const contracting =
  /\bDROP\s+(?:TABLE|COLUMN|VIEW|FUNCTION|TYPE|SCHEMA)\b|\bRENAME\b|\bALTER\s+COLUMN\s+\S+\s+(?:SET\s+NOT\s+NULL|(?:SET\s+DATA\s+)?TYPE)\b/i;

/** Returns the error of a migration script, or undefined. */
function wrongWith(name: string, script: string, before: readonly string[]): string | undefined {
  const statements = script.replace(/--[^\n]*/g, '');
  const needs = /COMMENT ON TABLE "_prisma_migrations" IS 'needs (\d{14}_\w+)'/.exec(statements)?.[1];
  if (needs !== undefined && !before.includes(needs))
    return `${name} needs ${needs}, which does not come before it`;
  if (needs === undefined && contracting.test(statements))
    return `${name} contracts and does not say what it needs`;
  if (/\bconcurrently\b/i.test(statements) && statements.split(';').filter((one) => one.trim()).length > 1)
    return `${name} builds an index concurrently beside other statements`;
  return undefined;
}

describe.each(['auth', 'directory', 'provisioning'])('the migrations of %s', (service) => {
  const folder = join(root, 'services', service, 'prisma', 'migrations');
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

  test('A process knows every migration by name.', async () => {
    const [file = ''] = globSync(`services/${service}/src/**/generated/migrations.ts`, { cwd: root });
    const generated = (await import(join(root, file))) as { migrations: readonly string[] };
    expect(generated.migrations).toEqual(names);
  });

  test('A migration that removes something names the versions that can continue, and one that builds an index concurrently has no other statement.', () => {
    const wrong = names
      .filter((name) => name > firstThatMayBeUpgradedFrom)
      .map((name, _, later) => {
        const script = readFileSync(join(folder, name, 'migration.sql'), 'utf8');
        return wrongWith(name, script, [
          ...names.filter((one) => !later.includes(one)),
          ...later.filter((one) => one < name),
        ]);
      })
      .filter((one) => one !== undefined);
    expect(wrong).toEqual([]);
  });
});

test.each([
  ['ALTER TABLE "a" DROP COLUMN "b";', '3_x contracts and does not say what it needs'],
  ['ALTER TABLE "a" RENAME COLUMN "b" TO "c";', '3_x contracts and does not say what it needs'],
  [
    `DROP TABLE "a"; COMMENT ON TABLE "_prisma_migrations" IS 'needs 20270101000000_new';`,
    '3_x needs 20270101000000_new, which does not come before it',
  ],
  [`DROP TABLE "a"; COMMENT ON TABLE "_prisma_migrations" IS 'needs 20260101000000_old';`, undefined],
  ['-- DROP TABLE\nALTER TABLE "a" ADD COLUMN "b" int;', undefined],
  [
    'CREATE INDEX CONCURRENTLY "i" ON "a"("b"); SELECT 1;',
    '3_x builds an index concurrently beside other statements',
  ],
])('The script %j is reported with the error %s.', (script, wrong) => {
  expect(wrongWith('3_x', script, ['20260101000000_old'])).toBe(wrong);
});
