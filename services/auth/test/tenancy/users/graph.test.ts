import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { apiScopes } from '@ostiary/access';
import { statementsDuring } from '@ostiary/database/testing';
import { currentRequestId } from '@ostiary/service';
import type { Client } from '../../../src/clients/domain/client.ts';
import {
  authorizeUrl,
  redeem,
  rival,
  selfService,
  signInAndAllow,
  startTestService,
  type TestService,
  tenant,
  token,
  userinfoStatus,
} from '../../support/sign-in/service.ts';

interface GraphAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asked for
  data: any;
  errors?: { message: string; extensions: { code: string } }[];
}

let service: TestService;
let app: Client;
let adminToken: string;
let auditToken: string;
let rivalToken: string;

const allScopes = Object.keys(apiScopes).join(' ');
const everything =
  'sessions:read sessions:write clients:read clients:write roles:read roles:write users:read';

beforeAll(async () => {
  service = await startTestService();
  app = await service.client({ require_consent: false });
  adminToken = await machineToken(tenant, everything);
  auditToken = await machineToken(tenant, `${everything} audit:read`);
  rivalToken = await machineToken(rival, everything);
});
afterAll(() => service.stop());

async function machineToken(of: string, scope: string): Promise<string> {
  const machine = await service.client(
    {
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope,
    },
    of,
  );
  const answer = await token(service, machine, {
    grant_type: 'client_credentials',
    client_secret: machine.secret ?? '',
  });
  return answer.body.access_token ?? '';
}

async function ask(query: string, variables: object = {}, accessToken = adminToken): Promise<GraphAnswer> {
  const response = await fetch(`${service.origin}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(accessToken === '' ? {} : { authorization: `Bearer ${accessToken}` }),
    },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as GraphAnswer;
}

const ofRequests = () => currentRequestId() !== undefined;

const codesOf = (answer: GraphAnswer): string[] | undefined =>
  answer.errors?.map((error) => error.extensions.code);

async function signedIn(userName: string) {
  const person = await service.person(userName);
  const browser = service.browser();
  const { body } = await redeem(service, app, await signInAndAllow(browser, app, userName));
  return { person, browser, accessToken: body.access_token ?? '' };
}

const people = `query ($of: [_Any!]!) {
  _entities(representations: $of) { ... on User {
    id
    sessions { id createdAt lastSeenAt userAgent ipAddress current }
    grants { clientId clientName scopes }
    roles } } }`;
const representations = (...ids: string[]) => ({ of: ids.map((id) => ({ __typename: 'User', id })) });

describe('users', () => {
  test('Users read their own sessions and grants without a scope, and none of other users.', async () => {
    const { person, accessToken } = await signedIn('alice');
    const { person: other } = await signedIn('bob');
    const own = await ask(people, representations(person.id), accessToken);
    expect(own.errors).toBeUndefined();
    expect(own.data._entities[0]).toMatchObject({
      id: person.id,
      sessions: [{ current: true, ipAddress: '127.0.0.1' }],
      grants: [
        {
          clientId: app.clientId,
          clientName: 'Notes <App>',
          scopes: ['openid', 'profile', ...selfService.split(' ')],
        },
      ],
      roles: [],
    });
    const theirs = await ask(people, representations(other.id), accessToken);
    expect(theirs.data._entities).toEqual([null]);
    expect(new Set(codesOf(theirs))).toEqual(new Set(['FORBIDDEN']));
    expect(codesOf(await ask(people, representations(person.id), ''))).toContain('UNAUTHENTICATED');
  });

  test('A query for all data of a hundred users executes each statement once.', async () => {
    const { person } = await signedIn('carol');
    const ids = Array.from({ length: 99 }, () => crypto.randomUUID());
    await copied(person.id, ids);
    const everyField = people.replace(
      'roles }',
      `roles roleSources { role direct groups { id } }
       sessions { authenticationMethods apps { clientId name } user { id } } grants { client { id } user { id } sessionId }
       personalAccessTokens { name scopes } credentials { passwordChangedAt passkeys { id } } departures { securityEventId deliveries { deliveryId } } }`,
    );
    const statements = await statementsDuring(async () => {
      const answer = await ask(everyField, representations(person.id, ...ids), auditToken);
      expect(answer.errors).toBeUndefined();
      expect(answer.data._entities).toHaveLength(100);
      for (const { sessions, grants, roles, roleSources } of answer.data._entities) {
        expect(sessions).toMatchObject([{ apps: [{ clientId: app.clientId, name: 'Notes <App>' }] }]);
        expect(grants).toMatchObject([{ clientId: app.clientId, clientName: 'Notes <App>' }]);
        expect([roles, roleSources.length]).toEqual([['AUDITOR'], 1]);
      }
    }, ofRequests);
    expect(statements.filter((text) => text.includes('FROM auth.sessions'))).toHaveLength(1);
    expect(statements).toEqual([...new Set(statements)]);
  });

  /** Creates users with the same objects as this one: a session with an app, its grant, and a role. */
  async function copied(of: string, ids: readonly string[]): Promise<void> {
    const { sql } = service.deps.database;
    await sql.query('INSERT INTO auth.role_assignments (tenant, subject_id, role) VALUES ($1, $2, $3)', [
      tenant,
      of,
      'auditor',
    ]);
    for (const [table, changes, which] of [
      ['subjects', `'id', copy, 'user_name', copy, 'user_name_key', copy`, 'id = $1'],
      ['role_assignments', `'subject_id', copy`, 'subject_id = $1'],
      [
        'sessions',
        `'id', copy, 'subject_id', copy, 'digest', '\\x' || replace(copy::text, '-', '')`,
        'subject_id = $1',
      ],
      [
        'session_clients',
        `'session_id', copy`,
        'session_id IN (SELECT id FROM auth.sessions WHERE subject_id = $1)',
      ],
      ['grants', `'id', copy, 'subject_id', copy, 'session_id', copy`, 'subject_id = $1'],
    ]) {
      await sql.query(
        `INSERT INTO auth.${table}
         SELECT (jsonb_populate_record(original, jsonb_build_object(${changes}))).*
         FROM auth.${table} AS original, unnest($2::uuid[]) AS copy WHERE ${which}`,
        [of, ids],
      );
    }
  }

  test('The administrator of the rival tenant sees a user of this tenant like one that does not exist.', async () => {
    const { person } = await signedIn('dave');
    const ours = await ask(people, representations(person.id), rivalToken);
    const nobody = await ask(people, representations(crypto.randomUUID()), rivalToken);
    const strip = (answer: GraphAnswer) => ({ ...answer.data._entities[0], id: '' });
    expect(strip(ours)).toEqual(strip(nobody));
    expect(await ask(people, representations('nonsense'))).toMatchObject({
      data: { _entities: [{ sessions: [] }] },
    });
  });
});

describe('ending sessions', () => {
  const revoke = 'mutation ($id: ID!) { revokeSession(input: { id: $id }) { sessionId } }';
  const revokeAll = 'mutation ($id: ID) { revokeAllSessions(input: { userId: $id }) { user { id } } }';
  const sessionsOf = async (id: string): Promise<string[]> =>
    (await ask(people, representations(id))).data._entities[0].sessions.map(
      (session: { id: string }) => session.id,
    );

  test('A session is ended by its owner and by administrators; for other users it does not exist.', async () => {
    const { person, accessToken, browser } = await signedIn('erin');
    const { accessToken: stranger } = await signedIn('frank');
    const [id] = await sessionsOf(person.id);
    for (const by of [stranger, rivalToken]) {
      const refused = await ask(revoke, { id }, by);
      const nobodys = await ask(revoke, { id: crypto.randomUUID() }, by);
      expect(refused).toEqual(nobodys);
      expect(codesOf(refused)).toEqual(['NOT_FOUND']);
    }
    expect(await userinfoStatus(service, accessToken)).toBe(200);
    expect((await ask(revoke, { id }, accessToken)).data.revokeSession.sessionId).toBe(id);
    expect(await userinfoStatus(service, accessToken)).toBe(401);
    const silent = await browser.get(authorizeUrl(app, { prompt: 'none' }));
    expect(new URL(silent.location ?? '').searchParams.get('error')).toBe('login_required');
    expect(codesOf(await ask(revoke, { id }))).toEqual(['NOT_FOUND']);
    expect(codesOf(await ask(revoke, { id: 'nonsense' }))).toEqual(['NOT_FOUND']);
  });

  test('All sessions of a user are ended together by the user or by an administrator.', async () => {
    const { person, accessToken } = await signedIn('grace');
    const { body: second } = await redeem(
      service,
      app,
      await signInAndAllow(service.browser(), app, 'grace'),
    );
    expect(await sessionsOf(person.id)).toHaveLength(2);
    expect(codesOf(await ask(revokeAll, { id: person.id }, rivalToken))).toEqual(['NOT_FOUND']);
    expect((await ask(revokeAll, {}, accessToken)).data.revokeAllSessions.user.id).toBe(person.id);
    expect(await sessionsOf(person.id)).toEqual([]);
    for (const dead of [accessToken, second.access_token ?? ''])
      expect(await userinfoStatus(service, dead)).toBe(401);
    const { body: third } = await redeem(service, app, await signInAndAllow(service.browser(), app, 'grace'));
    expect(await userinfoStatus(service, third.access_token ?? '')).toBe(200);
    await ask(revokeAll, { id: person.id });
    expect(await userinfoStatus(service, third.access_token ?? '')).toBe(401);
  });
});

describe('roles', () => {
  const assign =
    'mutation ($id: ID!) { assignRole(input: { userId: $id, role: TENANT_ADMIN }) { user { id roles } } }';
  const remove =
    'mutation ($id: ID!) { removeRole(input: { userId: $id, role: TENANT_ADMIN }) { user { id roles } } }';

  test('Roles are assigned and removed, and the removal ends the access that may depend on the role.', async () => {
    const { person, accessToken } = await signedIn('heidi');
    // A caller needs the scopes of a role to assign it.
    const [all, rivals] = await Promise.all([tenant, rival].map((of) => machineToken(of, allScopes)));
    expect(codesOf(await ask(assign, { id: person.id }, accessToken))).toEqual(['FORBIDDEN']);
    expect(codesOf(await ask(assign, { id: person.id }, rivals))).toEqual(['NOT_FOUND']);
    expect((await ask(assign, { id: person.id }, all)).data.assignRole.user.roles).toEqual(['TENANT_ADMIN']);
    expect(await userinfoStatus(service, accessToken)).toBe(200);
    expect((await ask(remove, { id: person.id }, all)).data.removeRole.user.roles).toEqual([]);
    expect(await userinfoStatus(service, accessToken)).toBe(401);
  });
});

describe('clients', () => {
  const register = `mutation ($input: RegisterClientInput!) {
    registerClient(input: $input) { clientSecret client { id name type redirectUris scopes requireConsent } } }`;

  test('Clients are registered, listed, rotated and disabled by administrators of their tenant.', async () => {
    const input = {
      name: 'New app',
      redirectUris: ['https://new.example/cb'],
      scopes: ['openid', 'profile'],
    };
    const registered = await ask(register, { input });
    expect(registered.errors).toBeUndefined();
    const { client, clientSecret } = registered.data.registerClient;
    expect(client).toMatchObject({ name: 'New app', type: 'CONFIDENTIAL', requireConsent: true });
    expect(clientSecret).toEqual(expect.any(String));

    const one = 'query ($id: ID!) { client(id: $id) { id name disabled } }';
    expect((await ask(one, { id: client.id })).data.client.name).toBe('New app');
    expect((await ask(one, { id: client.id }, rivalToken)).data.client).toBeNull();

    const rotate =
      'mutation ($id: ID!) { rotateClientSecret(input: { id: $id, overlapSeconds: 0 }) { clientSecret } }';
    const rotated = (await ask(rotate, { id: client.id })).data.rotateClientSecret.clientSecret;
    expect(rotated).not.toBe(clientSecret);
    expect(codesOf(await ask(rotate, { id: client.id }, rivalToken))).toEqual(['NOT_FOUND']);

    const disable = 'mutation ($id: ID!) { disableClient(input: { id: $id }) { client { disabled } } }';
    expect(codesOf(await ask(disable, { id: client.id }, rivalToken))).toEqual(['NOT_FOUND']);
    expect((await ask(disable, { id: client.id })).data.disableClient.client.disabled).toBe(true);
  });

  test('A client that may not be registered is rejected with a message of OAuth.', async () => {
    const bad = await ask(register, { input: { name: 'x', redirectUris: ['http://example.org/cb'] } });
    expect(codesOf(bad)).toEqual(['BAD_USER_INPUT']);
    expect(bad.errors?.[0]?.message).toContain('https');
  });

  test('Clients are listed in pages that neither skip nor repeat.', async () => {
    const list = `query ($first: Int, $after: String) { clients(first: $first, after: $after) {
      totalCount pageInfo { hasNextPage endCursor } edges { node { id } } } }`;
    const seen: string[] = [];
    let after: string | null = null;
    let total = 0;
    do {
      const answer: GraphAnswer = await ask(list, { first: 2, after });
      const { edges, pageInfo, totalCount } = answer.data.clients;
      seen.push(...edges.map((edge: { node: { id: string } }) => edge.node.id));
      total = totalCount;
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(total);
    expect(codesOf(await ask(list, { after: 'nonsense' }))).toEqual(['BAD_USER_INPUT']);
    expect(codesOf(await ask(list, {}, (await signedIn('ivan')).accessToken))).toEqual(['FORBIDDEN']);
  });
});

describe('client secrets', () => {
  const register =
    'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id scopes } clientSecret } }';
  const rotate =
    'mutation ($id: ID!) { rotateClientSecret(input: { id: $id, overlapSeconds: 0 }) { clientSecret } }';
  const job = (scopes: string[]) => ({ input: { name: 'Job', grantTypes: ['client_credentials'], scopes } });

  test('The secret of a client gives the caller no new scopes: its scopes must be among those of the caller.', async () => {
    const limited = await machineToken(tenant, 'clients:write users:read');
    for (const scopes of [['roles:write'], ['users:read', 'audit:read'], ['users:read roles:write']]) {
      const refused = await ask(register, job(scopes), limited);
      expect([codesOf(refused), refused.data.registerClient]).toEqual([['FORBIDDEN'], null]);
    }
    expect((await ask(register, job(['users:read']), limited)).data.registerClient.clientSecret).toMatch(
      /^ocs_/,
    );
    const people = {
      input: { name: 'App', redirectUris: ['https://app.example/cb'], scopes: ['openid', 'email'] },
    };
    expect((await ask(register, people, limited)).data.registerClient.client.scopes).toEqual([
      'openid',
      'email',
    ]);

    const strong = (await ask(register, job(['users:read', 'roles:write']))).data.registerClient.client.id;
    expect(codesOf(await ask(rotate, { id: strong }, limited))).toEqual(['FORBIDDEN']);
    expect((await ask(rotate, { id: strong })).data.rotateClientSecret.clientSecret).toMatch(/^ocs_/);
    expect(codesOf(await ask(rotate, { id: 'nobody' }, limited))).toEqual(['NOT_FOUND']);
  });

  test('The right to a secret of a client depends on the current client, not on a cached one.', async () => {
    const limited = await machineToken(tenant, 'clients:write users:read');
    const { id } = (await ask(register, job(['users:read']))).data.registerClient.client;
    const rename =
      'mutation ($id: ID!) { updateClient(input: { id: $id, name: "Mine" }) { client { name } } }';
    expect(codesOf(await ask(rename, { id }, limited))).toBeUndefined();
    await service.deps.clients.find(tenant, id);
    // Changed by another process, of which this one is not notified yet.
    await service.deps.database.sql.query(
      `UPDATE auth.clients SET scopes = '{users:read,roles:write}' WHERE tenant = $1 AND client_id = $2`,
      [tenant, id],
    );
    expect(codesOf(await ask(rotate, { id }, limited))).toEqual(['FORBIDDEN']);
    expect(codesOf(await ask(rename, { id }, limited))).toEqual(['FORBIDDEN']);
  });
});
