import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '@ostiary/embedded';
import { serviceNames } from '@ostiary/embedded/system';
import { eventually } from '@ostiary/service/testing';
import { auditDefaults, auditInvariants } from '../../scripts/invariants/audit.ts';
import { Doors, type Person } from '../support/doors.ts';
import { PostgresServer } from '../support/engines/postgres-standby.ts';
import { ScimClient } from '../support/scim.ts';
import { endOwn, preparedBy, type StartedSystem, startOwn } from '../support/systems/start-own.ts';

type Owner = 'auth' | 'directory' | 'provisioning';
const owners: readonly Owner[] = ['auth', 'directory', 'provisioning'];
const environments: Record<string, Record<string, string>> = {};

let folder: string;
let server: PostgresServer;
let own: StartedSystem;
let scim: ScimClient;
let doors: Doors;
let people: Record<'before' | 'deactivated' | 'deleted' | 'returned' | 'stays', Person>;
let list: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ostiary-restore-'));
  server = new PostgresServer(join(folder, 'postgres'), await freePort());
  await server.start();
  const { auth } = preparedBy(process.env);
  own = await startOwn(auth === undefined ? {} : { auth }, {
    databaseUrl: server.url,
    adjust: (name, env) => (environments[name] = env),
  });
  const demo = own.demo.tenants.demo;
  scim = new ScimClient(demo, demo.clients.scim.token);
  doors = new Doors(own.demo, demo, scim);
  const [before, deactivated, deleted, returned, stays] = await Promise.all(
    Array.from({ length: 5 }, () => doors.employ()),
  );
  if (!before || !deactivated || !deleted || !returned || !stays) throw new Error('nobody was employed');
  people = { before, deactivated, deleted, returned, stays };
  await setActive(before, false);
  await doors.expectClosed(before);
  await stopServices();
  // One backup for each restore below: copies of the database files at one time.
  for (const name of ['one', 'two', 'three']) await server.query(`CREATE DATABASE ${name} TEMPLATE postgres`);
  await startServices();
  await leaveAfterTheBackup();
  list = join(folder, 'departures.jsonl');
  const onTheWay = () => server.query("SELECT FROM directory.outbox_deliveries WHERE consumer = 'auth'");
  await eventually(onTheWay, ({ length }) => length === 0);
  await writeFile(list, (await program({}, ['--export'])).output);
  await stopServices();
});

afterAll(async () => {
  if (own) await endOwn(own);
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function setActive({ id }: Person, value: boolean): Promise<void> {
  const { status } = await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value }]);
  expect(status).toBe(200);
}

async function leaveAfterTheBackup(): Promise<void> {
  const { deactivated, deleted, returned, stays } = people;
  await setActive(deactivated, false);
  expect((await scim.call('DELETE', `/Users/${deleted.id}`)).status).toBe(204);
  await setActive(returned, false);
  await setActive(returned, true);
  // A change without offboarding also creates a version.
  expect(
    (await scim.patch(`/Users/${stays.id}`, [{ op: 'replace', path: 'title', value: 'Lead' }])).status,
  ).toBe(200);
  await doors.expectClosed(deactivated);
  await doors.expectClosed(deleted);
}

async function stopServices(): Promise<void> {
  await Promise.all(serviceNames.map((name) => own.system.stop(name)));
}

async function startServices(): Promise<void> {
  await Promise.all(serviceNames.map((name) => own.system.start(name)));
}

const databaseUrl = (name: string): string => {
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.href;
};

/** Effective at the next start. */
function restore(databases: Record<Owner, string>): void {
  for (const owner of owners)
    Object.assign(environments[owner] ?? {}, { DATABASE_URL: databaseUrl(databases[owner]) });
}

async function program(
  databases: Partial<Record<Owner, string>>,
  flags: readonly string[],
): Promise<{ code: number; output: string }> {
  const file = join(import.meta.dirname, '..', '..', 'scripts', 'reapply-departures.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...flags], {
    env: {
      PATH: process.env.PATH ?? '',
      DATABASE_URL_AUTH: databaseUrl(databases.auth ?? 'postgres'),
      DATABASE_URL_DIRECTORY: databaseUrl(databases.directory ?? 'postgres'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise<number>((resolve) => child.once('close', (ended) => resolve(ended ?? -1)));
  return { code, output };
}

async function reapplied(databases: Record<Owner, string>, flags: readonly string[] = []): Promise<unknown> {
  const { code, output } = await program(databases, [...flags, '--json']);
  expect(code).toBe(0);
  return JSON.parse(output);
}

async function expectEverybodyWhereTheyWere(
  databases: Record<Owner, string>,
  flawed: readonly string[] = [],
): Promise<void> {
  const { before, deactivated, deleted, returned, stays } = people;
  for (const gone of [before, deactivated, deleted]) await doors.expectClosed(gone);
  // A reactivated user has no access from before the offboarding.
  await doors.expectDead(returned);
  await doors.expectOpen(stays);
  await doors.return(returned);
  expect((await scim.call('GET', `/Users/${deactivated.id}`)).body).toMatchObject({ active: false });
  expect((await scim.call('GET', `/Users/${deleted.id}`)).status).toBe(404);
  // Events that wait for their consumer are delivered after the services are ready.
  await eventually(
    () => violatedChecks(databases, flawed),
    ({ length }) => length === 0,
  );
}

async function violatedChecks(databases: Record<Owner, string>, flawed: readonly string[]) {
  const { checks } = await auditInvariants((owner) => databaseUrl(databases[owner]), {
    ...auditDefaults,
    settleMs: 8_000,
  });
  return checks.filter(({ name, flaws }) => flaws > 0 && !flawed.includes(name));
}

test("A user offboarded after the backup of the directory's database is offboarded again after its restore, from the data of auth.", async () => {
  const databases = { auth: 'postgres', directory: 'one', provisioning: 'postgres' };
  restore(databases);
  expect(await reapplied(databases)).toMatchObject({
    deactivated: 1,
    deleted: 1,
    raised: 1,
    repeated: 1,
    unknownTenant: 0,
  });
  expect(await reapplied(databases)).toMatchObject({ deactivated: 0, deleted: 0, raised: 0, repeated: 0 });
  await startServices();
  await expectEverybodyWhereTheyWere(databases);
  await stopServices();
});

test("A user offboarded after the backup of auth's database is offboarded again after its restore, from the data of the directory.", async () => {
  const databases = { auth: 'two', directory: 'postgres', provisioning: 'postgres' };
  restore(databases);
  expect(await reapplied(databases)).toMatchObject({ deactivated: 0, deleted: 0, raised: 0, repeated: 4 });
  await startServices();
  // Auth has lost the inbox entries since the backup, so the check of events cannot account for them.
  await expectEverybodyWhereTheyWere(databases, ['events']);
  await stopServices();
});

test('A user offboarded after the backup of all databases is offboarded again from the exported list.', async () => {
  const databases = { auth: 'three', directory: 'three', provisioning: 'three' };
  restore(databases);
  expect(await reapplied(databases, ['--from', list])).toMatchObject({
    deactivated: 1,
    deleted: 1,
    unknownTenant: 0,
  });
  expect(await reapplied(databases, ['--from', list])).toMatchObject({
    deactivated: 0,
    deleted: 0,
    repeated: 0,
  });
  await startServices();
  await expectEverybodyWhereTheyWere(databases);
  await stopServices();
});

test('An invalid list is rejected before any change.', async () => {
  const file = join(folder, 'wrong.jsonl');
  await writeFile(file, '{"tenant":"demo","id":"\' OR true --","version":9,"active":false}\n');
  expect((await program({}, ['--from', file])).code).toBe(2);
});
