import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { type Asking, codesOf, startAsking } from '../../support/sign-in/asking.ts';
import { appCode, openAccount } from '../../support/sign-in/second-step.ts';
import { rival, tenant, userinfoStatus } from '../../support/sign-in/service.ts';

let asking: Asking;
let admin: string;
let rivalAdmin: string;
let helpDesk: string;

const scopes =
  'clients:read clients:write sessions:read sessions:write roles:read roles:write tenants:read users:read users:write audit:read';

beforeAll(async () => {
  asking = await startAsking();
  admin = await asking.machine(scopes);
  rivalAdmin = await asking.machine(scopes, rival);
  helpDesk = await asking.machine('users:read sessions:read access:write');
});
afterAll(() => asking.service.stop());

const ask = (query: string, variables: object = {}, token = admin) => asking.ask(query, variables, token);
// biome-ignore lint/suspicious/noExplicitAny: each query's own shape
const nodes = (list: any): any[] => list.edges.map((edge: any) => edge.node);

describe('sessions', () => {
  const sessions = `query ($filter: SessionFilter, $first: Int, $after: String) {
    sessions(filter: $filter, first: $first, after: $after) { totalCount pageInfo { hasNextPage endCursor }
      edges { node { id user { id } ipAddress authenticationMethods expiresAt apps { clientId name } } } } }`;

  test('The sessions of a tenant are paged, filtered, and listed with the apps that use them.', async () => {
    const people = [await asking.signedIn('s-1'), await asking.signedIn('s-2'), await asking.signedIn('s-3')];
    const theirs = await asking.signedIn('s-rival', rival);
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const answer = await ask(sessions, { first: 2, after });
      const { pageInfo } = answer.data.sessions;
      for (const session of nodes(answer.data.sessions)) {
        seen.push(session.user.id);
        expect(session).toMatchObject({
          ipAddress: '127.0.0.1',
          authenticationMethods: ['pwd'],
          apps: [{ name: 'Notes <App>' }],
        });
      }
      after = pageInfo.hasNextPage ? pageInfo.endCursor : undefined;
    } while (after !== undefined);
    expect(seen).toEqual(people.map(({ id }) => id).reverse());
    expect(seen).not.toContain(theirs.id);
    const one = await ask(sessions, { filter: { userId: people[0]?.id } });
    expect(one.data.sessions).toMatchObject({ totalCount: 1 });
    const none = await ask(sessions, { filter: { ipAddress: '192.0.2.1' } });
    expect(none.data.sessions).toMatchObject({ totalCount: 0, edges: [] });
    expect(
      (await ask(sessions, { filter: { userId: people[0]?.id } }, rivalAdmin)).data.sessions.edges,
    ).toEqual([]);
    expect(codesOf(await ask(sessions, {}, people[0]?.accessToken))).toEqual(['FORBIDDEN']);
  });
});

describe('grants', () => {
  const grants = `query ($id: ID!) { _entities(representations: [{ __typename: "User", id: $id }]) { ... on User {
    grants { id clientName user { id } client { id name } } } } }`;
  const revoke = `mutation ($id: ID!) { revokeGrant(input: { id: $id }) { grantId user { id } problems { code } } }`;
  const grantOf = async (id: string): Promise<string> =>
    (await ask(grants, { id })).data._entities[0].grants[0]?.id;

  test('A grant is revoked only by an administrator or by its own user.', async () => {
    const alice = await asking.signedIn('g-alice');
    const bob = await asking.signedIn('g-bob');
    const id = await grantOf(alice.id);
    for (const other of [bob.accessToken, rivalAdmin]) {
      const refused = await ask(revoke, { id }, other);
      expect(refused.data.revokeGrant).toEqual({
        grantId: null,
        user: null,
        problems: [{ code: 'NOT_FOUND' }],
      });
    }
    expect(codesOf(await ask(revoke, { id }, helpDesk))).toEqual(['FORBIDDEN']);
    expect(await userinfoStatus(asking.service, alice.accessToken)).toBe(200);
    const own = await ask(revoke, { id }, alice.accessToken);
    expect(own.data.revokeGrant).toEqual({ grantId: id, user: { id: alice.id }, problems: [] });
    await eventually(async () => (await userinfoStatus(asking.service, alice.accessToken)) === 401);
    expect(await grantOf(alice.id)).toBeUndefined();
    const ofBob = await grantOf(bob.id);
    const parallel = await Promise.all(Array.from({ length: 5 }, () => ask(revoke, { id: ofBob })));
    expect(parallel.filter((answer) => answer.data.revokeGrant.grantId === ofBob)).toHaveLength(1);
    const logged = await ask('query ($id: ID!) { securityLog(filter: { resourceId: $id }) { totalCount } }', {
      id: ofBob,
    });
    expect(logged.data.securityLog.totalCount).toBe(1);
  });
});

describe('tokens', () => {
  test('The API tokens of a tenant are listed for administrators, without the token values.', async () => {
    const { id, accessToken } = await asking.signedIn('t-alice');
    const made = await ask(
      `mutation { createPersonalAccessToken(input: { name: "script" }) { token personalAccessToken { id } } }`,
      {},
      accessToken,
    );
    const account = await ask(
      `mutation { createServiceAccount(input: { name: "robot", scopes: ["users:read"] }) { serviceAccount { id } } }`,
    );
    const serviceAccountId = account.data.createServiceAccount.serviceAccount.id;
    const key = await ask(
      'mutation ($id: ID!) { createApiKey(input: { serviceAccountId: $id, name: "key" }) { token apiKey { id serviceAccountId } } }',
      { id: serviceAccountId },
    );
    const lists = `query ($user: ID, $account: ID) {
      personalAccessTokens(filter: { userId: $user }) { totalCount edges { node { id name user { id } } } }
      apiKeys(filter: { serviceAccountId: $account }) { totalCount edges { node { id name serviceAccountId } } } }`;
    const all = await ask(lists, { user: id, account: serviceAccountId });
    expect(nodes(all.data.personalAccessTokens)).toEqual([
      { id: made.data.createPersonalAccessToken.personalAccessToken.id, name: 'script', user: { id } },
    ]);
    expect(nodes(all.data.apiKeys)).toEqual([
      { id: key.data.createApiKey.apiKey.id, name: 'key', serviceAccountId },
    ]);
    const theirs = await ask(lists, {}, rivalAdmin);
    expect([theirs.data.personalAccessTokens.totalCount, theirs.data.apiKeys.totalCount]).toEqual([0, 0]);
    expect(new Set(codesOf(await ask(lists, {}, accessToken)))).toEqual(new Set(['FORBIDDEN']));
  });
});

describe('credentials', () => {
  const credentials = `query ($id: ID!) { _entities(representations: [{ __typename: "User", id: $id }]) { ... on User {
    credentials { hasPassword passwordChangedAt hasAuthenticatorApp recoveryCodesLeft passkeys { id name } } } } }`;
  const remove = `mutation ($id: ID) { removeAuthenticatorApp(input: { userId: $id }) { user { id } problems { code } } }`;

  async function withApp(userName: string): Promise<{ id: string }> {
    const person = await asking.service.person(userName);
    const browser = asking.service.browser();
    const offer = await openAccount(browser, userName, '/totp');
    const secret = /<code class="typed">([^<]+)/.exec(offer.text)?.[1]?.replaceAll(' ', '') ?? '';
    await browser.submit(offer, { code: appCode(secret) });
    return person;
  }

  test('Credentials are shown without secrets, to administrators and to the user.', async () => {
    const { id } = await withApp('c-alice');
    const seen = await ask(credentials, { id });
    expect(seen.data._entities[0].credentials).toEqual({
      hasPassword: true,
      passwordChangedAt: expect.any(String),
      hasAuthenticatorApp: true,
      recoveryCodesLeft: 10,
      passkeys: [],
    });
    const bob = await asking.signedIn('c-bob');
    const own = await ask(credentials, { id: bob.id }, bob.accessToken);
    expect(own.data._entities[0].credentials).toMatchObject({
      hasPassword: true,
      hasAuthenticatorApp: false,
    });
    expect(codesOf(await ask(credentials, { id }, bob.accessToken))).toEqual(['FORBIDDEN']);
    expect((await ask(credentials, { id }, rivalAdmin)).data._entities[0].credentials).toBeNull();
  });

  test('A help desk removes an authenticator app with a log entry, but not from a user with a role.', async () => {
    const { id } = await withApp('c-lost');
    const other = await asking.signedIn('c-other');
    expect((await ask(remove, { id }, other.accessToken)).data.removeAuthenticatorApp.problems).toEqual([
      { code: 'NOT_FOUND' },
    ]);
    expect((await ask(remove, { id }, rivalAdmin)).data.removeAuthenticatorApp.problems).toEqual([
      { code: 'NOT_FOUND' },
    ]);
    expect((await ask(remove, { id }, helpDesk)).data.removeAuthenticatorApp).toEqual({
      user: { id },
      problems: [],
    });
    expect((await ask(remove, { id }, helpDesk)).data.removeAuthenticatorApp.problems).toEqual([
      { code: 'NOT_FOUND' },
    ]);
    const logged = await ask(
      'query ($id: ID!) { securityLog(filter: { userId: $id, action: "user.totp_removed" }) { edges { node { actor { kind } } } } }',
      { id },
    );
    expect(nodes(logged.data.securityLog)).toEqual([{ actor: { kind: 'CLIENT' } }]);
    const chief = await withApp('c-chief');
    await asking.service.deps.subjects.assignRole(tenant, chief.id, 'tenant_admin');
    expect(codesOf(await ask(remove, { id: chief.id }, helpDesk))).toEqual(['FORBIDDEN']);
    expect((await ask(credentials, { id: chief.id })).data._entities[0].credentials.hasAuthenticatorApp).toBe(
      true,
    );
  });

  test('Removing an unknown passkey returns NOT_FOUND.', async () => {
    const { id } = await asking.service.person('c-none');
    const answer = await ask(
      'mutation ($id: ID!) { removePasskey(input: { userId: $id, id: "x" }) { passkeyId problems { code } } }',
      { id },
      helpDesk,
    );
    expect(answer.data.removePasskey).toEqual({ passkeyId: null, problems: [{ code: 'NOT_FOUND' }] });
  });
});

describe('tenants', () => {
  test('The branding and sign-in settings of a tenant are visible to its own administrators only.', async () => {
    const query = `query ($id: ID!) { _entities(representations: [{ __typename: "Tenant", id: $id }]) { ... on Tenant {
      id branding { name } signInSettings { sessionIdleSeconds accessTokenSeconds passwordMinLength } } } }`;
    expect((await ask(query, { id: tenant })).data._entities).toEqual([
      {
        id: tenant,
        branding: { name: null },
        signInSettings: { sessionIdleSeconds: 86_400, accessTokenSeconds: 600, passwordMinLength: 12 },
      },
    ]);
    expect((await ask(query, { id: tenant }, rivalAdmin)).data._entities).toEqual([null]);
    const { accessToken } = await asking.signedIn('tn-alice');
    expect(new Set(codesOf(await ask(query, { id: tenant }, accessToken)))).toEqual(new Set(['FORBIDDEN']));
  });

  test('The tenant has live figures, and counts of sign-ins by day and hour.', async () => {
    const query =
      '{ signInStatistics { live { sessions grants clients personalAccessTokens } days(days: 2) { date accepted refused delayed } hours(hours: 3) { beginsAt accepted refused delayed } } }';
    await asking.signedIn('st-rival', rival);
    await asking.service.deps.signInTally.flush();
    const ours = (await ask(query)).data.signInStatistics;
    expect(ours.live.clients).toBeGreaterThan(1);
    expect(ours.days).toHaveLength(2);
    expect(ours.days[1]).toMatchObject({
      date: new Date().toISOString().slice(0, 10),
      refused: 0,
      delayed: 0,
    });
    const theirs = (await ask(query, {}, rivalAdmin)).data.signInStatistics;
    const { rows } = await asking.service.deps.database.sql.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM auth.sessions WHERE tenant = $1',
      [rival],
    );
    expect([theirs.live.sessions, theirs.days[1].accepted]).toEqual([rows[0]?.n, rows[0]?.n]);
    const hourMs = 3_600_000;
    const hour = Math.floor(Date.now() / hourMs) * hourMs;
    const starts = [2, 1, 0].map((back) => new Date(hour - back * hourMs).toISOString());
    expect(ours.hours.map(({ beginsAt }: { beginsAt: string }) => beginsAt)).toEqual(starts);
    expect(theirs.hours[2]).toEqual({ beginsAt: starts[2], accepted: rows[0]?.n, refused: 0, delayed: 0 });
    for (const hours of [0, 169]) {
      expect(codesOf(await ask(query.replace('hours: 3', `hours: ${hours}`)))).toEqual(['BAD_USER_INPUT']);
    }
    // Fewer days than requested would look like the complete result.
    for (const days of [0, 367]) {
      expect(codesOf(await ask(query.replace('days: 2', `days: ${days}`)))).toEqual(['BAD_USER_INPUT']);
    }
    expect(codesOf(await ask(query, {}, helpDesk))).toEqual(['FORBIDDEN']);
  });
});
