import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDatabase, type Database, scanPage } from '@ostiary/database';
import { createTestDatabase } from '@ostiary/database/testing';
import { createKit, uuidv7 } from '@ostiary/service';
import { scans } from '../../../src/invariants.ts';
import { migrations } from '../../support/running-auth.ts';

let database: Database<unknown>;
let drop: () => Promise<void>;
/** A user in each of two tenants; one of them always has no violation. */
const people = { demo: uuidv7(), rival: uuidv7() };
type TenantName = keyof typeof people;
const tenants = Object.keys(people) as TenantName[];

const run = (text: string, ...values: unknown[]) => database.sql.query(text, values);

beforeAll(async () => {
  const made = await createTestDatabase({ schema: 'auth', directory: migrations });
  drop = made.drop;
  const { log } = createKit({ name: 'test', logLevel: 'silent' });
  database = createDatabase({ url: made.url, schema: 'auth', poolSize: 2, log, prisma: () => ({}) });
  for (const tenant of tenants) {
    await run(
      `INSERT INTO auth.subjects (tenant, id, user_name, user_name_key, active, version) VALUES ($1, $2, 'ann', 'ann', true, 1)`,
      tenant,
      people[tenant],
    );
    await run(`INSERT INTO auth.tenants (id, name, status) VALUES ($1, $1, 'active')`, tenant);
    for (const client of ['app', 'other']) {
      await run(
        `INSERT INTO auth.clients (tenant, client_id, name, type, token_endpoint_auth_method, epoch)
         VALUES ($1, $2, $2, 'public', 'none', 1)`,
        tenant,
        client,
      );
    }
  }
});

afterAll(async () => {
  await database?.close();
  await drop?.();
});

/** Default creation time: a minute ago. */
const minuteAgo = `now() - interval '1 minute'`;

async function session(tenant: TenantName, createdAt = minuteAgo): Promise<string> {
  const id = uuidv7();
  await run(
    `INSERT INTO auth.sessions (tenant, id, subject_id, digest, auth_time, created_at, expires_at)
     VALUES ($1, $2::uuid, $3, decode(md5($2::text), 'hex'), ${createdAt}, ${createdAt}, now() + interval '1 day')`,
    tenant,
    id,
    people[tenant],
  );
  return id;
}

async function grant(tenant: TenantName, o: { epoch?: number; createdAt?: string } = {}): Promise<string> {
  const id = uuidv7();
  const { epoch = 1, createdAt = minuteAgo } = o;
  await run(
    `INSERT INTO auth.grants (tenant, id, client_id, subject_id, subject_epoch, client_epoch, created_at, expires_at)
     VALUES ($1, $2, 'app', $3, 0, $4, ${createdAt}, now() + interval '1 day')`,
    tenant,
    id,
    people[tenant],
    epoch,
  );
  return id;
}

async function tokenMadeBy(
  tenant: TenantName,
  client: string | null,
  createdAt = minuteAgo,
): Promise<string> {
  const id = uuidv7();
  await run(
    `INSERT INTO auth.api_tokens (tenant, id, subject_id, client_id, name, digest, hint, owner_epoch, created_at, expires_at)
     VALUES ($1, $2::uuid, $3, $4, 'x', decode(md5($2::text), 'hex'), 'x', 0, ${createdAt}, now() + interval '1 day')`,
    tenant,
    id,
    people[tenant],
    client,
  );
  return id;
}

const signedOut = (tenant: TenantName) =>
  run(
    `INSERT INTO auth.security_log (tenant, id, action, actor, actor_id, resource_type, resource_id, subject_id)
     VALUES ($1, $2, 'user.signed_out_everywhere', '{}', 'x', 'User', $3::text, $3::uuid)`,
    tenant,
    uuidv7(),
    people[tenant],
  );

/** Invariants after ends other than offboarding: of a client, of a tenant, of everything of an active user. */
const endedScans = scans(60).filter(({ name }) => /disabled clients|suspended tenants|signed out/.test(name));

/** Returns the names of the checks with violations, and the ids; then deletes everything. */
async function found(): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const scan of endedScans) {
    const { looked, flaws } = await scanPage(database.sql, scan, undefined, 100);
    expect([scan.name, looked > 0]).toEqual([scan.name, true]);
    if (flaws.length > 0) all[scan.name] = flaws.map(({ id }) => id).sort();
  }
  await run('TRUNCATE auth.sessions, auth.grants, auth.api_tokens, auth.security_log CASCADE');
  await run(`UPDATE auth.clients SET disabled_at = NULL, epoch = 1`);
  await run(`UPDATE auth.tenants SET status = 'active'`);
  return all;
}

/** Creates the objects of a user of the app in each tenant, without violations. */
async function usual(): Promise<Record<TenantName, { session: string; grant: string; token: string }>> {
  const of = async (tenant: TenantName) => ({
    session: await session(tenant),
    grant: await grant(tenant),
    token: await tokenMadeBy(tenant, 'app'),
  });
  return { demo: await of('demo'), rival: await of('rival') };
}

test('Live sessions, grants and tokens violate no invariant when nothing has ended.', async () => {
  await usual();
  expect(await found()).toEqual({});
});

test('A session that outlives a sign-out everywhere violates an invariant, but a later session does not.', async () => {
  const { demo } = await usual();
  await session('demo', 'now()');
  await signedOut('demo');
  expect(await found()).toEqual({ 'sessions of users signed out everywhere': [demo.session] });
});

test('A live grant or token of a disabled app violates an invariant.', async () => {
  const { demo } = await usual();
  const after = await grant('demo', { createdAt: 'now()', epoch: 2 });
  // Redeemed at the same time: its epoch is the previous one, so it is invalid.
  await grant('demo', { createdAt: 'now()' });
  await tokenMadeBy('demo', 'other');
  await tokenMadeBy('demo', null);
  await run(
    `UPDATE auth.clients SET disabled_at = now(), epoch = 2 WHERE tenant = 'demo' AND client_id = 'app'`,
  );
  expect(await found()).toEqual({
    'grants of disabled clients': [demo.grant, after].sort(),
    'personal access tokens of disabled clients': [demo.token],
  });
});

test('A live session or grant of a suspended tenant violates an invariant, but its pending work does not.', async () => {
  const { demo } = await usual();
  await run(`UPDATE auth.tenants SET status = 'suspended', updated_at = now() WHERE id = 'demo'`);
  expect(await found()).toEqual({
    'sessions of suspended tenants': [demo.session],
    'grants of suspended tenants': [demo.grant],
  });
});

test('Sessions, grants and tokens that were ended correctly violate no invariant.', async () => {
  await usual();
  for (const table of ['sessions', 'grants', 'api_tokens'])
    await run(`UPDATE auth.${table} SET revoked_at = now() WHERE tenant = 'demo'`);
  await signedOut('demo');
  await run(`UPDATE auth.clients SET disabled_at = now(), epoch = 2 WHERE tenant = 'demo'`);
  await run(`UPDATE auth.tenants SET status = 'suspended', updated_at = now() WHERE id = 'demo'`);
  expect(await found()).toEqual({});
});
