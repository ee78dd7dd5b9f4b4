import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createDatabase, type Database, migrate, scanPage } from '@ostiary/database';
import { createTestDatabase, type TestDatabase } from '@ostiary/database/testing';
import { coreRegistry, foldCase, foldResource, validateResource } from '@ostiary/scim';
import { createLog, uuidv7 } from '@ostiary/service';
import { scans } from '../../src/database/data/invariants.ts';
import { PrismaClient } from '../../src/database/generated/client.ts';
import { rekeyUserNames } from '../../src/users/data/user-names.ts';
import { type Harness, type Json, migrations, startDirectory, tenantClient } from '../support/harness.ts';

/** The first of the migrations that introduced keys made by PRECIS (RFC 8264). */
const changed = '20261122173000_user_name_keys';

interface Row {
  id: string;
  userName: string;
}

/** Returns the insertion of a user by a process of the previous release. */
function oldInsert(tenant: string, { id, userName }: Row): { text: string; values: unknown[] } {
  const registry = coreRegistry();
  const data = validateResource(
    { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName },
    registry,
    'User',
    'create',
  );
  const folded = { ...foldResource(data, registry, 'User'), userName: foldCase(userName) };
  return {
    text: `INSERT INTO directory.users (tenant, id, user_name, user_name_key, active, external_ids, data, folded, version, created_at, updated_at)
           VALUES ($1, $2, $3, $4, true, '{}', $5, $6, 1, now(), now())`,
    values: [tenant, id, userName, foldCase(userName), JSON.stringify(data), JSON.stringify(folded)],
  };
}

/** Returns an update of a user by a process of the previous release. */
const oldUpdate = (tenant: string, { id, userName }: Row) => ({
  text: `UPDATE directory.users SET user_name = $3, user_name_key = $4, version = version + 1, updated_at = now(),
                data = data || jsonb_build_object('userName', $3::text), folded = folded || jsonb_build_object('userName', $4::text)
          WHERE tenant = $1 AND id = $2`,
  values: [tenant, id, userName, foldCase(userName)],
});

const person = (userName: string): Row => ({ id: uuidv7(), userName });
const nfc = 'caf\u00e9';
const nfd = 'cafe\u0301';

/** Runs `work` on a database with the schema from before the change. */
async function withOldDatabase(work: (database: Database<PrismaClient>, url: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  let scratch: TestDatabase | undefined;
  let database: Database<PrismaClient> | undefined;
  try {
    for (const name of await readdir(migrations)) {
      if (name < changed || name.endsWith('.toml')) {
        await cp(join(migrations, name), join(folder, name), { recursive: true });
      }
    }
    scratch = await createTestDatabase({ schema: 'directory', directory: folder });
    database = createDatabase({
      url: scratch.url,
      schema: 'directory',
      poolSize: 3,
      log: createLog('test', 'silent'),
      prisma: (adapter) => new PrismaClient({ adapter }),
    });
    await work(database, scratch.url);
  } finally {
    await database?.close();
    await scratch?.drop();
    await rm(folder, { recursive: true });
  }
}

test('A database of the previous release is migrated, and no user is locked out.', () =>
  withOldDatabase(async ({ sql }, url) => {
    const people = [nfc, nfd, 'İstanbul', 'alice', 'ａlice', 'x ', 'zoë', ...many(450)].map(person);
    await sql.query(`INSERT INTO directory.tenants (id, name) VALUES ('acme', 'Acme')`, []);
    for (const row of people) {
      const { text, values } = oldInsert('acme', row);
      await sql.query(text, values);
    }
    await migrate({ url, schema: 'directory', directory: migrations });

    // Interrupted after a batch, and continued by two processes concurrently.
    let rounds = 0;
    await rekeyUserNames(sql, () => {
      rounds += 1;
      return rounds > 1;
    });
    expect(await pendingOf(sql)).toBeGreaterThan(0);
    await Promise.all([rekeyUserNames(sql), rekeyUserNames(sql)]);
    expect(await pendingOf(sql)).toBe(0);

    const { rows } = await sql.query<{
      name: string;
      key: string;
      twin: string;
      folded: string;
      version: string;
    }>(
      `SELECT user_name AS name, user_name_key AS key, user_name_twin AS twin, folded ->> 'userName' AS folded, version::int
         FROM directory.users ORDER BY id`,
      [],
    );
    expect(rows).toHaveLength(people.length);
    const [cafe, decomposed, istanbul, , wide, spaced] = rows;
    expect([cafe?.key, cafe?.twin]).toEqual([nfc, '']);
    expect([decomposed?.key, decomposed?.twin]).toEqual([nfc, people[1]?.id]);
    expect(istanbul?.key).toBe('i\u0307stanbul');
    expect([wide?.key, wide?.twin]).toEqual(['alice', people[4]?.id]);
    expect([spaced?.key, spaced?.twin]).toEqual(['x ', '']);
    for (const { key, folded, version } of rows) expect([folded, version]).toEqual([key, 1]);
    // A second run finds no work.
    expect(await rekeyUserNames(sql)).toBe(0);

    // The audit names the users who share a name, by ids.
    const scan = scans(0).find(({ name }) => name === 'duplicate user names');
    if (!scan) throw new Error('no such scan');
    const { flaws } = await scanPage(sql, scan, undefined, 1_000);
    expect(flaws.map(({ id, detail }) => [id, detail])).toEqual([
      [people[1]?.id, `has the user name of ${people[0]?.id}`],
      [people[4]?.id, `has the user name of ${people[3]?.id}`],
    ]);
  }));

const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `ré\u0301my-${index}`);

const pendingOf = async (sql: Database<PrismaClient>['sql']): Promise<number> => {
  const { rows } = await sql.query<{ pending: number }>(
    `SELECT count(*)::int AS pending FROM directory.users WHERE user_name_keyed IS DISTINCT FROM
       CASE WHEN octet_length(user_name) <> char_length(user_name) THEN user_name || chr(10) || user_name_key END`,
    [],
  );
  return rows[0]?.pending ?? 0;
};

let harness: Harness;
let acme: ReturnType<typeof tenantClient>;
let rival: ReturnType<typeof tenantClient>;

beforeAll(async () => {
  harness = await startDirectory();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  acme = tenantClient(harness, await harness.tenant());
  rival = tenantClient(harness, await harness.tenant());
});

const byOldProcess = async (statement: { text: string; values: unknown[] }) =>
  harness.sql(statement.text, statement.values);
const named = async (userName: string): Promise<string[]> => {
  const { body } = await acme.search('Users', { filter: `userName eq ${JSON.stringify(userName)}` });
  return body.Resources.map(({ id }: Json) => id).sort();
};
const twins = async (): Promise<string[]> =>
  (
    await harness.sql<{ id: string }>(
      `SELECT id FROM directory.users WHERE tenant = $1 AND user_name_twin <> '' ORDER BY id`,
      [acme.tenant],
    )
  ).map(({ id }) => id);

async function pair(): Promise<[Row, Row]> {
  const [first, second] = [person(nfc), person(nfd)];
  await byOldProcess(oldInsert(acme.tenant, first));
  await byOldProcess(oldInsert(acme.tenant, second));
  await harness.tidy();
  return [first, second];
}

test('Users who share a name can be changed, and no other user gets the name until only one has it.', async () => {
  const [first, second] = await pair();
  expect(await named(nfd)).toEqual([first.id, second.id]);
  for (const { id, userName } of [first, second]) {
    for (let version = 2; version < 4; version += 1) {
      const { status, body } = await acme.patch('Users', id, [
        { op: 'replace', path: 'title', value: `${version}` },
      ]);
      expect([status, body.userName, body.meta.version]).toEqual([200, userName, `W/"${version}"`]);
    }
    expect((await acme.replace('Users', id, { userName })).status).toBe(200);
  }
  expect(await twins()).toEqual([second.id]);
  for (const userName of [nfc, nfd, 'CAFÉ'])
    expect((await acme.create('Users', { userName })).status).toBe(409);
  expect((await rival.create('Users', { userName: nfd })).status).toBe(201);

  // When the first user is deleted, the other owns the name immediately.
  const [gone, ...creations] = await Promise.all([
    acme.remove('Users', first.id),
    ...Array.from({ length: 8 }, () => acme.create('Users', { userName: nfc })),
  ]);
  expect(gone.status).toBe(204);
  expect(new Set(creations.map(({ status }) => status))).toEqual(new Set([409]));
  expect(await twins()).toEqual([]);
  expect(await named(nfc)).toEqual([second.id]);
});

test('A rename of either user ends the shared name.', async () => {
  const [first, second] = await pair();
  expect(
    (await acme.patch('Users', second.id, [{ op: 'replace', path: 'userName', value: 'other' }])).status,
  ).toBe(200);
  expect(await twins()).toEqual([]);
  expect(
    (await acme.patch('Users', second.id, [{ op: 'replace', path: 'userName', value: nfd }])).status,
  ).toBe(409);
  expect(
    (await acme.patch('Users', first.id, [{ op: 'replace', path: 'userName', value: 'third' }])).status,
  ).toBe(200);
  expect(
    (await acme.patch('Users', second.id, [{ op: 'replace', path: 'userName', value: nfd }])).status,
  ).toBe(200);
  expect((await acme.create('Users', { userName: nfc })).status).toBe(409);
});

test('Of three users who share a name, the next one owns it as each one is deleted.', async () => {
  const rows = [nfc, nfd, 'ｃａｆé'].map(person);
  for (const row of rows) await byOldProcess(oldInsert(acme.tenant, row));
  await harness.tidy();
  expect(await twins()).toEqual([rows[1]?.id, rows[2]?.id]);
  await acme.remove('Users', rows[0]?.id ?? '');
  expect(await twins()).toEqual([rows[2]?.id]);
  await acme.remove('Users', rows[1]?.id ?? '');
  expect(await twins()).toEqual([]);
  expect((await acme.create('Users', { userName: nfc })).status).toBe(409);
});

test('Processes of both releases work concurrently.', async () => {
  // The older one writes keys of its own, also over those that were computed again.
  const old = person(nfd);
  await byOldProcess(oldInsert(acme.tenant, old));
  await harness.tidy();
  expect(await named(nfc)).toEqual([old.id]);
  await byOldProcess(oldUpdate(acme.tenant, old));
  await harness.tidy();
  expect(await named(nfc)).toEqual([old.id]);

  // A change by a process of this release computes the key before the periodic task does, and rejects nothing.
  const { body: created } = await acme.create('Users', { userName: 'ａnna' });
  const anna = person('Ａnna');
  await byOldProcess(oldInsert(acme.tenant, anna));
  expect((await acme.patch('Users', anna.id, [{ op: 'add', path: 'title', value: 'a' }])).status).toBe(200);
  expect(await named('anna')).toEqual([created.id, anna.id].sort());
  expect(await twins()).toEqual([anna.id]);

  // The older process renames a user who shared a name: the mark is removed with the name.
  await byOldProcess(oldUpdate(acme.tenant, { id: anna.id, userName: 'anna2' }));
  await harness.tidy();
  expect(await twins()).toEqual([]);
  expect((await acme.create('Users', { userName: 'Ａnna2' })).status).toBe(409);

  // A name taken in this release is also taken in the other, by the same constraint.
  await expect(byOldProcess(oldInsert(acme.tenant, person('Anna2')))).rejects.toMatchObject({
    constraint: 'users_tenant_user_name_key_key',
  });
  // A name that only this release rejects does not affect the other.
  const spaced = person('x ');
  await byOldProcess(oldInsert(acme.tenant, spaced));
  await harness.tidy();
  expect(await named('x ')).toEqual([spaced.id]);
});
