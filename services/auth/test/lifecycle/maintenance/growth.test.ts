import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RowsRead, staysWithin } from '@ostiary/database/testing';
import type { DomainEvent } from '@ostiary/events';
import { uuidv7 } from '@ostiary/service';
import { handleDirectoryEvents } from '../../../src/lifecycle/directory-events/directory-events.jobs.ts';
import { exchangeFor, newAgent } from '../../support/agents/acting-agent.ts';
import {
  redeem,
  signInAndAllow,
  startTestService,
  type TestService,
  token,
  userinfoStatus,
} from '../../support/sign-in/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Tables that each sign-in, token and offboarding uses. The others are read by jobs, or belong to other functions. */
const tables = [
  'consents',
  'credentials',
  'delegations',
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

/** Offboards a user with an access path of each kind. */
async function leaves(): Promise<void> {
  const subject = uuidv7();
  const { database } = service.deps;
  await database.transaction(async (tx) => {
    for (const statement of grow(`SELECT 'demo'`, 1, subject)) await tx.query(statement);
  });
  const event: DomainEvent = {
    id: uuidv7(),
    tenant: 'demo',
    type: 'user.deactivated',
    subject,
    version: 2,
    occurredAt: new Date().toISOString(),
    actor: { kind: 'connector', id: 'hr' },
    payload: {
      id: subject,
      userName: subject,
      active: false,
      emails: [],
      externalIds: {},
      changedAt: new Date().toISOString(),
    },
  };
  await database.transaction((tx) => handleDirectoryEvents([event], tx, service.deps));
}

/** Creates users with a password, a session, a grant and a role, many in one tenant and a few in each of many. */
const grow = (tenants: string, users: number, id = ''): string[] => [
  `CREATE TEMP TABLE grown ON COMMIT DROP AS
   SELECT t.tenant, n, ${id ? `'${id}'::uuid` : 'gen_random_uuid()'} AS id, gen_random_uuid() AS session, gen_random_uuid() AS granted
     FROM (${tenants}) t(tenant), generate_series(1, ${users}) n`,
  `INSERT INTO auth.subjects (tenant, id, user_name, user_name_key, active, version)
   SELECT tenant, id, id || 'u', id || 'u', true, 1 FROM grown`,
  `INSERT INTO auth.credentials (tenant, ticket, subject_id, hash, activated_at)
   SELECT tenant, gen_random_uuid(), id, 'x', now() FROM grown`,
  `INSERT INTO auth.role_assignments (tenant, subject_id, role) SELECT tenant, id, 'auditor' FROM grown`,
  // Marks role holders as notified, because the job would notify the directory of each.
  'UPDATE auth.role_holders SET notified_at = now() WHERE notified_at IS NULL',
  `INSERT INTO auth.sessions (tenant, id, subject_id, digest, auth_time, expires_at)
   SELECT tenant, session, id, uuid_send(session), now(), now() + interval '1 day' FROM grown`,
  `INSERT INTO auth.grants (tenant, id, client_id, subject_id, session_id, subject_epoch, client_epoch, expires_at)
   SELECT tenant, granted, 'app', id, session, 0, 0, now() + interval '1 day' FROM grown`,
  `INSERT INTO auth.refresh_families (tenant, id, grant_id, client_id, salt, idle_expires_at, absolute_expires_at)
   SELECT tenant, gen_random_uuid(), granted, 'app', '\\x00', now() + interval '1 day', now() + interval '1 day' FROM grown`,
  `INSERT INTO auth.delegations (tenant, id, grant_id, client_id, subject_id)
   SELECT tenant, gen_random_uuid(), granted, 'agent', id FROM grown`,
];

/** Returns the operations in order; each uses the results of the previous ones. */
async function walks(): Promise<Record<string, () => Promise<void>>> {
  const app = await service.client({ require_consent: false });
  const agent = await newAgent(service, app);
  const machine = await service.client({
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    scope: 'users:read',
    protected_resources: ['urn:ostiary:tenant-api'],
  });
  const client_secret = machine.secret ?? '';
  await service.person('alice');
  let answer: URL | undefined;
  let tokens: Record<string, string> = {};
  const signsIn = async () => {
    answer = await signInAndAllow(service.browser(), app, 'alice', { scope: 'openid offline_access' });
  };
  const refresh = async () => {
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' };
    const refreshed = await token(service, app, form);
    expect(refreshed.status).toBe(200);
    tokens = { ...tokens, ...refreshed.body };
  };
  return {
    'a sign-in': signsIn,
    async 'a sign-in and its tokens'() {
      await signsIn();
      tokens = (await redeem(service, app, answer as URL)).body;
      expect(tokens.refresh_token).toBeDefined();
    },
    'a refresh': refresh,
    async 'a token of an agent and its use'() {
      const { body } = await exchangeFor(service, { ...agent, tenant: 'demo' }, tokens.access_token ?? '');
      expect(await userinfoStatus(service, body.access_token ?? '')).toBe(200);
    },
    async userinfo() {
      expect(await userinfoStatus(service, tokens.access_token ?? '')).toBe(200);
    },
    async 'a machine’s token'() {
      const form = { client_secret, grant_type: 'client_credentials' };
      expect((await token(service, machine, form)).status).toBe(200);
    },
    async 'an introspection of a new token'() {
      await refresh();
      const body = { client_id: machine.clientId, client_secret, token: tokens.access_token ?? '' };
      const response = await fetch(`${service.origin}/t/demo/introspect`, {
        method: 'POST',
        body: new URLSearchParams(body),
      });
      expect(await response.json()).toMatchObject({ active: true });
    },
    'a departure': leaves,
  };
}

test('A sign-in, each token, an introspection and an offboarding read as much with a thousand tenants and five thousand users in one as with one of each.', async () => {
  const all = Object.entries(await walks());
  const reading = new RowsRead({ sql: service.deps.database.sql, schema: 'auth', tables });
  const small: Record<string, number> = {};
  for (const [name, walk] of all) small[name] = await reading.by(walk);
  for (const [tenants, users] of [
    [`SELECT 'tenant-' || n FROM generate_series(1, 1000) n`, 2],
    [`SELECT 'demo'`, 5_000],
  ] as const) {
    await service.deps.database.transaction(async (tx) => {
      for (const statement of grow(tenants, users)) await tx.query(statement);
    });
  }
  for (const [name, walk] of all) {
    const before = small[name] ?? Number.NaN;
    const after = await reading.after(before, walk);
    expect({ name, before, after, within: staysWithin(before, after) }).toEqual({
      name,
      before,
      after,
      within: true,
    });
  }
});
