import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { minUuidv7 } from '@ostiary/service';
import { pruneExpired } from '../../../src/maintenance.ts';
import { countSecurityEvents } from '../../../src/platform/audit/security-log.data.ts';
import { type Asking, codesOf, type GraphAnswer, startAsking } from '../../support/sign-in/asking.ts';
import { openAccount } from '../../support/sign-in/second-step.ts';
import { password, rival, tenant } from '../../support/sign-in/service.ts';

let asking: Asking;
let admin: string;
let auditor: string;
let rivalAuditor: string;

beforeAll(async () => {
  asking = await startAsking();
  admin = await asking.machine(
    'clients:read clients:write sessions:read sessions:write roles:write tenants:write users:write',
  );
  auditor = await asking.machine('audit:read');
  rivalAuditor = await asking.machine('audit:read', rival);
});
afterAll(() => asking.service.stop());

const log = `query ($filter: SecurityLogFilter, $first: Int, $after: String) {
  securityLog(filter: $filter, first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor }
    edges { node { id action resourceType resourceId clientId ipAddress userAgent requestId
      actor { kind id: actorId onBehalfOf } user { id } changes { attribute before after } } } } }`;

const entries = (answer: GraphAnswer) =>
  // biome-ignore lint/suspicious/noExplicitAny: the shape of the query above
  answer.data.securityLog.edges.map((edge: any) => edge.node);
const read = async (filter: object, token = auditor) => entries(await asking.ask(log, { filter }, token));

const register = `mutation ($input: RegisterClientInput!) { registerClient(input: $input) {
  client { id } clientSecret repeated problems { __typename code message path } } }`;

async function registered(input: object = {}): Promise<{ id: string; secret: string }> {
  const answer = await asking.ask(
    register,
    { input: { name: 'App', grantTypes: ['client_credentials'], ...input } },
    admin,
  );
  const { client, clientSecret } = answer.data.registerClient;
  return { id: client.id, secret: clientSecret };
}

describe('security log', () => {
  test('The log shows who changed a client, from where, and both values; the secret is masked.', async () => {
    const { id, secret } = await registered();
    await asking.ask(
      `mutation ($id: ID!) {
      a: updateClient(input: { id: $id, name: "Renamed" }) { problems { message } }
      b: rotateClientSecret(input: { id: $id }) { clientSecret }
      c: disableClient(input: { id: $id }) { problems { message } }
      d: enableClient(input: { id: $id }) { client { disabled } }
      e: deleteClient(input: { id: $id }) { clientId } }`,
      { id },
      admin,
    );
    const logged = await read({ resourceId: id });
    // biome-ignore lint/suspicious/noExplicitAny: the shape of the query above
    expect(logged.map((entry: any) => entry.action)).toEqual([
      'client.deleted',
      'client.enabled',
      'client.disabled',
      'client.secret_rotated',
      'client.updated',
      'client.registered',
    ]);
    for (const entry of logged) {
      expect(entry).toMatchObject({
        actor: { kind: 'CLIENT', id: entry.clientId },
        ipAddress: '127.0.0.1',
        userAgent: 'asking/1.0',
        user: null,
      });
      expect(entry.requestId).toEqual(expect.any(String));
    }
    expect(logged[4].changes).toEqual([{ attribute: 'client_name', before: '"App"', after: '"Renamed"' }]);
    expect(logged[3].changes).toEqual([
      { attribute: 'client_secret', before: '"********"', after: '"********"' },
    ]);
    expect(JSON.stringify(logged)).not.toContain(secret);
  });

  test('The log contains sign-ins, tokens, roles and sessions.', async () => {
    const { id, accessToken } = await asking.signedIn('log-alice');
    const made = await asking.ask(
      `mutation { createPersonalAccessToken(input: { name: "script" }) {
      personalAccessToken { id } token } }`,
      {},
      accessToken,
    );
    const { personalAccessToken, token } = made.data.createPersonalAccessToken;
    await asking.ask(
      'mutation ($id: ID!) { revokePersonalAccessToken(input: { id: $id }) { id } }',
      { id: personalAccessToken.id },
      accessToken,
    );
    await asking.ask(
      'mutation ($id: ID!) { revokeAllSessions(input: { userId: $id }) { user { id } } }',
      { id },
      admin,
    );
    const logged = await read({ userId: id });
    // biome-ignore lint/suspicious/noExplicitAny: the shape of the query above
    expect(logged.map((entry: any) => [entry.action, entry.actor.kind, entry.user.id])).toEqual([
      ['user.signed_out_everywhere', 'CLIENT', id],
      ['personal_access_token.revoked', 'USER', id],
      ['personal_access_token.created', 'USER', id],
      ['session.started', 'USER', id],
      // The fixture sets passwords like provisioning.
      ['user.password_changed', 'SERVICE', id],
    ]);
    expect(JSON.stringify(logged)).not.toContain(token);
  });

  test('An action of a user on their account page is logged with that user as the actor.', async () => {
    const { id } = await asking.service.person('log-page');
    const browser = asking.service.browser();
    const page = await openAccount(browser, 'log-page', '/password');
    const next = 'another correct horse';
    await browser.submit(page, { present: password, password: next, next, repeated: next });
    const [entry] = await read({ userId: id, action: 'user.password_changed' });
    expect(entry).toMatchObject({
      actor: { kind: 'USER', id },
      changes: [{ attribute: 'password', after: '"********"' }],
    });
  });

  test('A user without the scope reads only their own log, with any filter, without the addresses of others.', async () => {
    const alice = await asking.signedIn('log-own');
    const bob = await asking.signedIn('log-other');
    await asking.ask(
      'mutation ($id: ID!) { revokeAllSessions(input: { userId: $id }) { user { id } } }',
      { id: alice.id },
      admin,
    );
    const again = await asking.signedIn('log-own-2');
    const own = await read({}, again.accessToken);
    // biome-ignore lint/suspicious/noExplicitAny: the shape of the query above
    expect(new Set(own.map((entry: any) => entry.user.id))).toEqual(new Set([again.id]));
    expect(own[0]).toMatchObject({ action: 'session.started', ipAddress: '127.0.0.1' });
    expect(await read({ userId: bob.id }, again.accessToken)).toEqual([]);
    await asking.ask(
      'mutation ($id: ID!) { inviteUser(input: { userId: $id }) { url } }',
      { id: bob.id },
      admin,
    );
    await asking.ask(
      'mutation ($id: ID!) { resetUserAccess(input: { userId: $id }) { url } }',
      { id: bob.id },
      admin,
    );
    const [invited] = await read({ action: 'user.invited' }, bob.accessToken);
    expect(invited).toMatchObject({ ipAddress: null, userAgent: null, user: { id: bob.id } });
    expect((await read({ action: 'user.invited', userId: bob.id }))[0].ipAddress).toBe('127.0.0.1');
    expect(codesOf(await asking.ask(log, {}, ''))).toEqual(['UNAUTHENTICATED']);
    expect(codesOf(await asking.ask(log, {}, admin))).toEqual(['FORBIDDEN']);
  });

  test('The security log of a tenant contains only its own entries.', async () => {
    const { id } = await registered();
    expect(await read({ resourceId: id })).toHaveLength(1);
    expect(await read({ resourceId: id }, rivalAuditor)).toEqual([]);
    const person = await asking.signedIn('log-tenant');
    expect(await read({ userId: person.id }, rivalAuditor)).toEqual([]);
    expect(await read({ userId: 'nonsense' })).toEqual([]);
  });

  test('The security log is read page by page, with each entry once.', async () => {
    for (let made = 0; made < 3; made += 1) await registered({ name: `Paged ${made}` });
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const answer = await asking.ask(
        log,
        { filter: { action: 'client.registered' }, first: 2, after },
        auditor,
      );
      const { pageInfo, totalCount } = answer.data.securityLog;
      // biome-ignore lint/suspicious/noExplicitAny: the shape of the query above
      seen.push(...entries(answer).map((entry: any) => entry.id));
      expect(totalCount).toBeGreaterThanOrEqual(3);
      after = pageInfo.hasNextPage ? pageInfo.endCursor : undefined;
    } while (after !== undefined);
    expect(new Set(seen).size).toBe(seen.length);
    expect([...seen].sort().reverse()).toEqual(seen);
    expect(codesOf(await asking.ask(log, { after: 'bm9uc2Vuc2U' }, auditor))).toEqual(['BAD_USER_INPUT']);
    expect(codesOf(await asking.ask(log, { first: 101 }, auditor))).toEqual(['BAD_USER_INPUT']);
  });

  test('A log entry is written with its change or not at all.', async () => {
    const { database } = asking.service.deps;
    const before = await database.sql.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM auth.security_log',
    );
    const clients = await database.sql.query<{ n: number }>('SELECT count(*)::int AS n FROM auth.clients');
    await database.sql.query(
      'ALTER TABLE auth.security_log ADD CONSTRAINT full_up CHECK (action <> $$client.registered$$) NOT VALID',
    );
    try {
      const answer = await asking.ask(
        register,
        { input: { name: 'App', grantTypes: ['client_credentials'] } },
        admin,
      );
      expect(codesOf(answer)).toEqual(['INTERNAL_SERVER_ERROR']);
    } finally {
      await database.sql.query('ALTER TABLE auth.security_log DROP CONSTRAINT full_up');
    }
    const refusedRegistration = await asking.ask(
      register,
      { input: { name: ' ', grantTypes: ['client_credentials'] } },
      admin,
    );
    expect(refusedRegistration.data.registerClient).toMatchObject({
      client: null,
      problems: [{ __typename: 'InvalidInput', code: 'INVALID_INPUT' }],
    });
    expect((await database.sql.query('SELECT count(*)::int AS n FROM auth.security_log')).rows).toEqual(
      before.rows,
    );
    expect((await database.sql.query('SELECT count(*)::int AS n FROM auth.clients')).rows).toEqual(
      clients.rows,
    );
  });

  const actors = `query ($filter: SecurityLogFilter) { securityLog(filter: $filter) { edges { node { action
    actor { __typename kind id: actorId name onBehalfOf ... on UserActor { user { id sessions { id } } }
      ... on ClientActor { client { id name } } } } } } }`;

  test('A log entry refers to the user or app that acted, if it exists and the caller may see it.', async () => {
    const all = await asking.machine('audit:read clients:read sessions:read');
    const { id: person, accessToken } = await asking.signedIn('log-actor');
    await asking.ask(
      'mutation { createPersonalAccessToken(input: { name: "s" }) { token } }',
      {},
      accessToken,
    );
    const { id } = await registered();
    const logged = entries(await asking.ask(actors, { filter: { resourceId: id } }, all));
    expect(logged).toEqual([
      {
        action: 'client.registered',
        actor: {
          __typename: 'ClientActor',
          kind: 'CLIENT',
          id: expect.any(String),
          name: null,
          onBehalfOf: null,
          client: { id: logged[0].actor.id, name: expect.any(String) },
        },
      },
    ]);
    const filter = { userId: person, action: 'personal_access_token.created' };
    const [byUser] = entries(await asking.ask(actors, { filter }, all));
    expect(byUser.actor).toMatchObject({
      __typename: 'UserActor',
      id: person,
      user: { id: person, sessions: [{ id: expect.any(String) }] },
    });
    const bySystem = entries(
      await asking.ask(actors, { filter: { userId: person, action: 'user.password_changed' } }, all),
    );
    expect(bySystem[0].actor).toMatchObject({ __typename: 'ServiceActor', kind: 'SERVICE' });
    expect(entries(await asking.ask(actors, { filter: { resourceId: id } }, rivalAuditor))).toEqual([]);
  });

  test('A caller with access to the log alone cannot read users or apps through it.', async () => {
    const { id: person, accessToken } = await asking.signedIn('log-unseen');
    await asking.ask(
      'mutation { createPersonalAccessToken(input: { name: "s" }) { token } }',
      {},
      accessToken,
    );
    const byUser = await asking.ask(actors, { filter: { actorId: person } }, auditor);
    expect(new Set(codesOf(byUser))).toEqual(new Set(['FORBIDDEN']));
    for (const { actor } of entries(byUser)) expect(actor.user).toEqual({ id: person, sessions: null });
    const { id } = await registered();
    const byApp = await asking.ask(actors, { filter: { resourceId: id } }, auditor);
    expect(new Set(codesOf(byApp))).toEqual(new Set(['FORBIDDEN']));
    for (const { actor } of entries(byApp)) expect(actor.client).toBeNull();
  });

  test('The log is counted up to a bound, which the answer states, and a time is found by its ids.', async () => {
    const answer = await asking.ask(
      '{ securityLog(first: 1) { totalCount totalCountIsExact } }',
      {},
      auditor,
    );
    expect(answer.data.securityLog.totalCountIsExact).toBe(true);
    const { database } = asking.service.deps;
    const begin = Date.parse('2025-01-01T00:00:00Z');
    const at = (entry: number) => new Date(begin + entry * 900_000);
    await database.sql.query(
      `INSERT INTO auth.security_log (tenant, id, occurred_at, action, actor, actor_id, resource_type, resource_id)
       SELECT 'counted', (lpad(to_hex($1::bigint + n * 900000::bigint), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid,
         to_timestamp(($1::bigint + n * 900000::bigint) / 1000.0), 'client.updated', '{"kind":"system","id":"x"}', 'x', 'Client', 'c'
       FROM generate_series(0, 20999) n`,
      [begin],
    );
    await database.sql.query('ANALYZE auth.security_log');
    const count = (filter: object) => countSecurityEvents(database.sql, 'counted', filter);
    expect(await count({})).toEqual({ total: 20_000, isExact: false });
    expect(await count({ since: at(10_000), until: at(10_040) })).toEqual({ total: 40, isExact: true });
    const { rows } = await database.sql.query<Record<'QUERY PLAN', unknown>>(
      `EXPLAIN (ANALYZE, FORMAT JSON) SELECT FROM auth.security_log WHERE tenant = 'counted' AND occurred_at >= $1
         AND id >= $2 AND id < $3 ORDER BY id DESC LIMIT 20001`,
      [at(10_000), minUuidv7(at(9_996).getTime()), minUuidv7(at(10_044).getTime())],
    );
    expect(JSON.stringify(rows)).not.toContain('Seq Scan');
    await database.sql.query("DELETE FROM auth.security_log WHERE tenant = 'counted'");
  });

  test('A log entry is kept for the configured retention.', async () => {
    const { sql } = asking.service.deps.database;
    const { id } = await registered();
    await sql.query(
      `UPDATE auth.security_log SET occurred_at = now() - interval '2 days' WHERE tenant = $1 AND resource_id = $2`,
      [tenant, id],
    );
    await pruneExpired(sql, { securityLogSeconds: 3 * 86_400 });
    expect(await read({ resourceId: id })).toHaveLength(1);
    await pruneExpired(sql, { securityLogSeconds: 86_400 });
    expect(await read({ resourceId: id })).toEqual([]);
  });

  test('Private keys that are registered by mistake are not in the security log.', async () => {
    const answer = await asking.ask(
      register,
      {
        input: {
          name: 'App',
          grantTypes: ['client_credentials'],
          tokenEndpointAuthMethod: 'PRIVATE_KEY_JWT',
          jwks: JSON.stringify({
            keys: [
              {
                kty: 'EC',
                crv: 'P-256',
                kid: 'k',
                x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
                y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
                d: 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI',
              },
            ],
          }),
        },
      },
      admin,
    );
    const { rows } = await asking.service.deps.database.sql.query('SELECT changes FROM auth.security_log');
    expect(JSON.stringify(rows)).not.toContain('jpsQnnGQmL');
    expect(answer.errors).toBeUndefined();
  });
});
