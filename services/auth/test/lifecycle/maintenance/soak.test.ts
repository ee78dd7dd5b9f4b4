import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKit, createRedis, type Redis, redisReady, uuidv7 } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { addSignInCounts } from '../../../src/identity/sign-in/data/sign-in-counts.ts';
import { pruneExpired } from '../../../src/maintenance.ts';
import {
  type Backend,
  createBackend,
  issueCode,
  publicClient,
  type RunningAuth,
  register,
  signedIn,
  startAuth,
} from '../../support/running-auth.ts';

/** Number of grants in the soak test; `npm run bench -- soak` runs it with 200,000 and real expiry. */
const grants = Number(process.env.SOAK_GRANTS ?? 400);

/** Tables whose rows are deleted automatically. */
const passing = [
  'api_tokens',
  'client_secrets',
  'credentials',
  'grants',
  'guesses',
  'idempotency_keys',
  'initial_access_tokens',
  'invitations',
  'refresh_families',
  'revocations',
  'security_log',
  'sessions',
  'sign_in_counts',
  'sign_in_hours',
  'signing_keys',
  'used_values',
];

/** Tables with as many rows as there are users, or objects that administrators set up. */
const lasting = [
  'api_roles',
  'api_scopes',
  'apis',
  'client_document_policies',
  'client_uses',
  'clients',
  'client_logos',
  'client_registrations',
  'connector_owners',
  'consents',
  'credential_owners',
  'group_knowers',
  'group_role_holders',
  'group_roles',
  'issuer_subjects',
  'kept_keys',
  'passkeys',
  'privileged_groups',
  'receiver_exclusions',
  'receivers',
  'recovery_codes',
  'role_assignments',
  'role_holders',
  'service_account_keys',
  'service_accounts',
  'subjects',
  'tenant_branding',
  'tenants',
  'totp_factors',
  'trusted_issuers',
];

/** Tables pruned by the event consumer, emptied by the relay, or deleted with their parents, and tested there. */
const elsewhere = [
  // One row per lifetime: `revocation-feed.test.ts`.
  'access_token_lifetimes',
  // Deleted with their grants: `grants/delegations.test.ts`.
  'delegations',
  'deliveries',
  // Old reports and those of ended processes: `feed/verifiers.test.ts`.
  'feed_followers',
  'fact_cursors',
  'facts',
  'inbox_entries',
  'live_events',
  'membership_checks',
  'owner_checks',
  // Pruned with the security log: `ownership/connector-owners.test.ts`.
  'ownership_ends',
  // Deleted when the overlap ends: `ownership/secret-overlap.test.ts`.
  'secret_ends',
  'session_clients',
  // Deleted by the tenant's policy: `sign-in-log/sign-in-log.test.ts`.
  'sign_in_attempts',
  // All but the newest: `memory/tenant-changes.test.ts`.
  'tenant_changes',
  '_prisma_migrations',
];

let backend: Backend;
let auth: RunningAuth;
let redis: Redis;

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend, {
    env: { ACCESS_TOKEN_TTL_SECONDS: '5', AUTHORIZATION_CODE_TTL_SECONDS: '5' },
  });
  const kit = createKit({ name: 'test', logLevel: 'silent' });
  redis = createRedis(process.env.TEST_REDIS_URL ?? '', { name: 'soak', log: kit.log });
  await redisReady(redis);
});

afterAll(async () => {
  await auth?.stop();
  redis?.disconnect();
  await backend?.drop();
});

const rows = async <R extends object>(statement: string, ...values: unknown[]): Promise<R[]> =>
  (await auth.database.sql.query<R>(statement, values)).rows;

async function counts(): Promise<Record<string, number>> {
  const all: Record<string, number> = {};
  for (const table of passing) {
    const [row] = await rows<{ n: number }>(`SELECT count(*)::int AS n FROM auth.${table}`);
    all[table] = row?.n ?? 0;
  }
  return all;
}

/** Moves all rows a hundred days into the past. */
async function age(): Promise<void> {
  const columns = await rows<{ table: string; column: string }>(
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
     WHERE table_schema = 'auth' AND (data_type LIKE 'timestamp%' OR data_type = 'date') AND table_name = ANY($1)`,
    passing,
  );
  for (const table of passing) {
    const set = columns
      .filter((column) => column.table === table)
      .map(({ column }) => `${column} = ${column} - interval '100 days'`);
    await rows(`UPDATE auth.${table} SET ${set.join(', ')}`);
  }
}

const pruneAll = async () => {
  await pruneExpired(auth.database.sql, { securityLogSeconds: 50 * 86_400 });
};

async function keys(): Promise<{ name: string; ttl: number }[]> {
  const names = (await redis.keys(`*${backend.prefix}*`)).sort();
  return Promise.all(names.map(async (name) => ({ name, ttl: await redis.pttl(name) })));
}

test('Every table either keeps its size automatically or is as large as the objects that users set up.', async () => {
  const tables = await rows<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'auth' ORDER BY 1`,
  );
  expect(tables.map(({ name }) => name).sort()).toEqual([...passing, ...lasting, ...elsewhere].sort());
});

/** Issues and refreshes a grant; depending on its number also replays it, revokes it or adds a client's own token. */
async function oneGrant(
  clientId: string,
  basic: readonly [string, string],
  index: number,
  person: Parameters<typeof issueCode>[2],
): Promise<void> {
  const issued = await issueCode(auth, clientId, person);
  const { body } = await auth.post('/t/demo/token', issued.form);
  const refresh = { grant_type: 'refresh_token', client_id: clientId };
  const refreshed = await auth.post('/t/demo/token', {
    ...refresh,
    refresh_token: String(body.refresh_token),
  });
  expect(refreshed.status).toBe(200);
  if (index % 4 === 0) expect((await auth.post('/t/demo/token', issued.form)).status).toBe(400);
  if (index % 4 === 1) {
    await auth.post('/t/demo/revoke', {
      token: String(refreshed.body.refresh_token),
      client_id: clientId,
    });
  }
  if (index % 10 === 2) await auth.post('/t/demo/token', { grant_type: 'client_credentials' }, { basic });
}

describe('soak test', () => {
  test('A soak test of grants that are issued, refreshed, replayed, revoked and signed out leaves nothing behind.', async () => {
    const { client } = await register(auth, publicClient);
    const confidential = await register(auth, { grant_types: ['client_credentials'], redirect_uris: [] });
    const basic = [confidential.client.clientId, confidential.clientSecret ?? ''] as const;
    await auth.get('/t/demo/jwks');
    const before = await counts();
    const redisBefore = (await keys()).map(({ name }) => name);

    const people = await Promise.all(Array.from({ length: 8 }, () => signedIn(auth)));
    const one = (index: number) => oneGrant(client.clientId, basic, index, people[index % 8] ?? {});
    for (let start = 0; start < grants; start += 20) {
      await Promise.all(
        Array.from({ length: Math.min(20, grants - start) }, (_, index) => one(start + index)),
      );
    }
    for (const person of people.slice(0, 4)) await auth.deps.sessions.revoke('demo', person.sessionId);
    await auth.deps.clientRegistry.rotateSecret('demo', confidential.client.clientId, { overlapSeconds: 1 });
    await auth.deps.signingKeys.prepare('demo', ['ES256']);
    await auth.deps.signingKeys.promote('demo', 'ES256', 0);
    await others(people[0]?.subjectId ?? '');

    const grown = await counts();
    for (const table of passing) expect([table, grown[table]]).toEqual([table, expect.any(Number)]);
    expect(grown.grants).toBe((before.grants ?? 0) + grants);
    const idle = passing.filter((table) => (grown[table] ?? 0) <= (before[table] ?? 0));
    expect(idle).toEqual([]);

    // Codes and their tombstones expire after seconds here; no key outlives its time.
    const codes = async () => (await redis.keys(`*${backend.prefix}*authorization_code*`)).length;
    await eventually(codes, (count) => count === 0);
    const left = (await keys()).filter(({ name }) => !redisBefore.includes(name));
    // The writers trim the two streams.
    expect(left.filter(({ ttl, name }) => ttl < 0 && !/:(revocations|live|live:n)$/.test(name))).toEqual([]);
    expect(left.filter(({ name }) => name.includes('authorization_code'))).toEqual([]);
    expect(left.length).toBeLessThan(20);

    await age();
    await pruneAll();
    const after = await counts();
    // Active rows stay, independent of their age: signing keys, and secrets without an end.
    expect(after).toEqual({
      ...Object.fromEntries(passing.map((table) => [table, 0])),
      signing_keys: before.signing_keys,
      client_secrets: 1,
    });
  });

  test('Pruning does not delete rows that are still valid.', async () => {
    const { client } = await register(auth, publicClient);
    const issued = await issueCode(auth, client.clientId);
    const { body } = await auth.post('/t/demo/token', issued.form);
    const before = await counts();
    await pruneAll();
    expect(await counts()).toEqual(before);
    const refreshed = await auth.post('/t/demo/token', {
      grant_type: 'refresh_token',
      client_id: client.clientId,
      refresh_token: String(body.refresh_token),
    });
    expect(refreshed.status).toBe(200);
  });

  test('A revoked grant is deleted after a day, and its tokens stay rejected.', async () => {
    const { client } = await register(auth, publicClient);
    const issued = await issueCode(auth, client.clientId);
    const { body } = await auth.post('/t/demo/token', issued.form);
    const token = { token: String(body.refresh_token), client_id: client.clientId };
    await auth.post('/t/demo/revoke', token);
    await pruneAll();
    expect(await rows('SELECT 1 FROM auth.grants WHERE client_id = $1', client.clientId)).toHaveLength(1);
    await rows(
      `UPDATE auth.grants SET expires_at = expires_at - interval '26 hours' WHERE client_id = $1`,
      client.clientId,
    );
    await pruneAll();
    expect(await rows('SELECT 1 FROM auth.grants WHERE client_id = $1', client.clientId)).toEqual([]);
    const again = await auth.post('/t/demo/token', {
      grant_type: 'refresh_token',
      client_id: client.clientId,
      refresh_token: token.token,
    });
    expect(again).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });
});

/** Writes a row in each table that the flows above do not use. */
async function others(subjectId: string): Promise<void> {
  const digest = () => randomBytes(32);
  await rows(
    `INSERT INTO auth.api_tokens (tenant, id, subject_id, name, digest, hint, scopes, owner_epoch, expires_at)
     VALUES ('demo', $1, $2, 'ci', $3, 'abcd', '{}', 0, now() + interval '1 day')`,
    uuidv7(),
    subjectId,
    digest(),
  );
  await rows(
    `INSERT INTO auth.initial_access_tokens (tenant, id, name, digest, scopes, uses_left, expires_at)
     VALUES ('demo', $1, 'partner', $2, '{}', 1, now() + interval '1 day')`,
    uuidv7(),
    digest(),
  );
  await rows(
    `INSERT INTO auth.invitations (tenant, id, subject_id, subject_epoch, digest, expires_at)
     VALUES ('demo', $1, $2, 0, $3, now() + interval '1 day')`,
    uuidv7(),
    subjectId,
    digest(),
  );
  await rows(
    `INSERT INTO auth.used_values (tenant, digest, expires_at) VALUES ('demo', $1, now() + interval '1 minute')`,
    digest(),
  );
  await rows(
    `INSERT INTO auth.guesses (tenant, account, count, at, expires_at)
     VALUES ('demo', 'soaked', 1, now(), now() + interval '1 minute')`,
  );
  await rows(
    `INSERT INTO auth.credentials (tenant, ticket, subject_id, hash) VALUES ('demo', $1, $2, 'staged')`,
    uuidv7(),
    subjectId,
  );
  await rows(
    `INSERT INTO auth.idempotency_keys (tenant, digest, input, resource_id) VALUES ('demo', $1, $2, 'x')`,
    digest(),
    digest(),
  );
  await addSignInCounts(auth.database.sql, [
    {
      tenant: 'demo',
      start: `${new Date().toISOString().slice(0, 13)}:00:00.000Z`,
      outcome: 'refused',
      total: 3,
    },
  ]);
}
