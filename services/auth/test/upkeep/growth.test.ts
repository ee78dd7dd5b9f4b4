import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  redeem,
  signInAndAllow,
  startTestService,
  type TestService,
  token,
  userinfoStatus,
} from '../support/sign-in/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** What each sign-in and token goes to. The rest is read in the background, or belongs to other subjects. */
const tables = [
  'consents',
  'credentials',
  'grants',
  'group_role_holders',
  'guesses',
  'passkeys',
  'recovery_codes',
  'refresh_families',
  'role_assignments',
  'security_log',
  'session_clients',
  'sessions',
  'subjects',
  'totp_factors',
];

const sql = () => service.deps.database.sql;

/** Rows and index entries that were read in those tables so far; every connection of the pool says what it has read. */
async function read(): Promise<number> {
  await Promise.all(
    Array.from({ length: 8 }, () => sql().query('SELECT pg_stat_force_next_flush(), pg_sleep(0.2)')),
  );
  const { rows } = await sql().query<{ read: number }>(
    `SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE schemaname = 'auth' AND relname = ANY ($1))::float8
          + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE schemaname = 'auth' AND relname = ANY ($1))::float8 AS read`,
    [tables],
  );
  return rows[0]?.read ?? Number.NaN;
}

/** What one walk reads, of several. */
async function readBy(walk: () => Promise<void>): Promise<number> {
  await walk();
  const times = 5;
  const before = await read();
  for (let time = 0; time < times; time += 1) await walk();
  return ((await read()) - before) / times;
}

/** Users with a password, a session, a grant and a role, in a tenant of many and in many tenants of a few. */
const grow = (tenants: string, users: number): string[] => [
  `CREATE TEMP TABLE grown ON COMMIT DROP AS
   SELECT t.tenant, n, gen_random_uuid() AS id, gen_random_uuid() AS session, gen_random_uuid() AS granted
     FROM (${tenants}) t(tenant), generate_series(1, ${users}) n`,
  `INSERT INTO auth.subjects (tenant, id, user_name, user_name_key, active, version)
   SELECT tenant, id, 'u' || n, 'u' || n, true, 1 FROM grown`,
  `INSERT INTO auth.credentials (tenant, ticket, subject_id, hash, activated_at)
   SELECT tenant, gen_random_uuid(), id, 'x', now() FROM grown`,
  `INSERT INTO auth.role_assignments (tenant, subject_id, role) SELECT tenant, id, 'auditor' FROM grown`,
  `INSERT INTO auth.sessions (tenant, id, subject_id, digest, auth_time, expires_at)
   SELECT tenant, session, id, (tenant || n)::bytea, now(), now() + interval '1 day' FROM grown`,
  `INSERT INTO auth.grants (tenant, id, client_id, subject_id, session_id, subject_epoch, client_epoch, expires_at)
   SELECT tenant, granted, 'app', id, session, 0, 0, now() + interval '1 day' FROM grown`,
  `INSERT INTO auth.refresh_families (tenant, id, grant_id, client_id, salt, idle_expires_at, absolute_expires_at)
   SELECT tenant, gen_random_uuid(), granted, 'app', '\\x00', now() + interval '1 day', now() + interval '1 day' FROM grown`,
];

test('A sign-in and each token read as much with a thousand tenants and five thousand users in one as with one of each.', async () => {
  const app = await service.client({ require_consent: false });
  const machine = await service.client({
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    scope: 'users:read',
  });
  await service.person('alice');
  let answer: URL | undefined;
  let tokens: Record<string, string> = {};
  const signsIn = async () => {
    answer = await signInAndAllow(service.browser(), app, 'alice', { scope: 'openid offline_access' });
  };
  const walks: Record<string, () => Promise<void>> = {
    'a sign-in': signsIn,
    async 'a sign-in and its tokens'() {
      await signsIn();
      tokens = (await redeem(service, app, answer as URL)).body;
      expect(tokens.refresh_token).toBeDefined();
    },
    async 'a refresh'() {
      const refreshed = await token(service, app, {
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token ?? '',
      });
      expect(refreshed.status).toBe(200);
      tokens = { ...tokens, ...refreshed.body };
    },
    async userinfo() {
      expect(await userinfoStatus(service, tokens.access_token ?? '')).toBe(200);
    },
    async 'a machine’s token'() {
      const form = { client_secret: machine.secret ?? '', grant_type: 'client_credentials' };
      expect((await token(service, machine, form)).status).toBe(200);
    },
  };
  const small: Record<string, number> = {};
  for (const [name, walk] of Object.entries(walks)) small[name] = await readBy(walk);
  for (const [tenants, users] of [
    [`SELECT 'tenant-' || n FROM generate_series(1, 1000) n`, 2],
    [`SELECT 'demo'`, 5_000],
  ] as const) {
    await service.deps.database.transaction(async (tx) => {
      for (const statement of grow(tenants, users)) await tx.query(statement);
    });
  }
  for (const [name, walk] of Object.entries(walks)) {
    const [before, after] = [small[name] ?? Number.NaN, await readBy(walk)];
    // A few entries more are dead ones of the walks before.
    expect({ name, before, after, within: after <= 1.3 * before + 5 }).toMatchObject({ within: true });
  }
});
