import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { pruneExpired } from '../../../src/maintenance.ts';
import { factsOf, listen } from '../../signals/deliveries/facts.ts';
import { type ActingAgent, actingAgent, appFor, exchangeFor } from '../../support/agents/acting-agent.ts';
import { type Asking, codesOf, startAsking } from '../../support/sign-in/asking.ts';
import { accountPath, openAccount } from '../../support/sign-in/second-step.ts';
import { redeem, rival, signInAndAllow, tenant } from '../../support/sign-in/service.ts';

// Delegations in the graph, and their end with users.

let asking: Asking;
let admin: string;
let reader: string;

beforeAll(async () => {
  asking = await startAsking();
  admin = await asking.machine('sessions:read sessions:write users:read audit:read');
  reader = await asking.machine('sessions:read');
  await listen(asking.service);
});
afterAll(() => asking.service.stop());

let people = 0;
const acting = (o?: Parameters<typeof actingAgent>[2]): Promise<ActingAgent> => {
  people += 1;
  return actingAgent(asking.service, `user-${people}`, o);
};

const isLive = async (token: string, of = tenant): Promise<boolean> =>
  (await asking.service.deps.introspection.liveAccessToken(of, token)) !== null;

const list = `query ($id: ID!) { _entities(representations: [{ __typename: "User", id: $id }]) { ... on User {
  delegations { totalCount edges { node { id clientId clientName scopes audiences grantId user { id } client { id } } } } } } }`;
const listed = async (id: string, token: string) => {
  const { data } = await asking.ask(list, { id }, token);
  return data?._entities[0]?.delegations ?? null;
};

const ending = `mutation ($input: EndDelegationInput!) { endDelegation(input: $input) { id user { id } problems { code } } }`;
const end = (id: string, token: string, more: object = {}) =>
  asking.ask(ending, { input: { id, ...more } }, token);

describe('delegations in the graph', () => {
  test('A user and an administrator see the delegation with its agent and scopes.', async () => {
    const { user, agentId, delegationId } = await acting();
    const node = {
      id: delegationId,
      clientId: agentId,
      clientName: 'Agent',
      scopes: ['openid', 'profile'],
      user: { id: user.id },
    };
    for (const token of [user.accessToken, reader]) {
      expect(await listed(user.id, token)).toMatchObject({ totalCount: 1, edges: [{ node }] });
    }
    const [edge] = (await listed(user.id, await asking.machine('sessions:read clients:read'))).edges;
    expect(edge.node.client).toEqual({ id: agentId });
  });

  test('Other users and the rival tenant see no delegation, and end none.', async () => {
    const { user, accessToken, delegationId } = await acting();
    const colleague = await asking.signedIn('colleague');
    const rivalUser = await asking.signedIn('rival-user', rival);
    const rivalAdmin = await asking.machine('sessions:read sessions:write', rival);
    for (const token of [colleague.accessToken, rivalUser.accessToken, rivalAdmin]) {
      expect((await listed(user.id, token))?.edges ?? []).toEqual([]);
      const answer = await end(delegationId, token);
      expect(answer.data?.endDelegation?.problems ?? codesOf(answer)).toEqual([{ code: 'NOT_FOUND' }]);
    }
    expect((await end(delegationId, reader)).data?.endDelegation ?? null).toBeNull();
    expect(await isLive(accessToken)).toBe(true);
  });

  test('The agent itself can neither list nor end the delegations of its user.', async () => {
    const { user, accessToken, delegationId } = await acting();
    expect((await end(delegationId, accessToken)).data?.endDelegation ?? null).toBeNull();
    await listed(user.id, accessToken);
    expect(await isLive(accessToken)).toBe(true);
  });

  test('A user ends a delegation: the token of the agent ends, which is logged and published once.', async () => {
    const { user, accessToken, agentId, delegationId, exchange } = await acting();
    const answers = await Promise.all(Array.from({ length: 6 }, () => end(delegationId, user.accessToken)));
    const done = answers.filter(({ data }) => data.endDelegation.id === delegationId);
    expect(done).toHaveLength(1);
    expect(done[0]?.data.endDelegation).toEqual({ id: delegationId, user: { id: user.id }, problems: [] });
    expect(await isLive(accessToken)).toBe(false);
    expect(await isLive(user.accessToken)).toBe(true);
    expect((await exchange()).body.error).toBe('invalid_request');
    expect((await listed(user.id, user.accessToken)).totalCount).toBe(0);
    const { rows } = await asking.service.deps.database.sql.query<{ action: string; actor_id: string }>(
      'SELECT action, actor_id FROM auth.security_log WHERE tenant = $1 AND resource_id = $2 ORDER BY id',
      [tenant, delegationId],
    );
    expect(rows).toEqual([
      { action: 'delegation.created', actor_id: agentId },
      { action: 'delegation.ended', actor_id: user.id },
    ]);
    const facts = await factsOf(asking.service, user.id);
    expect(facts.filter(({ type }) => type === 'grant.revoked').map(({ data }) => data)).toEqual([
      { clientId: agentId, reason: 'ended', initiatingEntity: 'user' },
    ]);
  });

  test('An administrator ends a delegation, and a repeated request with the same key gets the first result.', async () => {
    const { user, accessToken, delegationId } = await acting();
    const keyed = { idempotencyKey: `end-${delegationId}` };
    for (let time = 0; time < 2; time += 1) {
      const { data } = await end(delegationId, admin, keyed);
      expect(data.endDelegation).toEqual({ id: delegationId, user: { id: user.id }, problems: [] });
    }
    expect(await isLive(accessToken)).toBe(false);
  });

  test.each(['x', '', '00000000-0000-0000-0000-000000000000', "' OR 1=1"])(
    'The id %j of no delegation is answered with NOT_FOUND.',
    async (id) => {
      const answer = await end(id, admin);
      expect(answer.data?.endDelegation?.problems).toEqual([{ code: 'NOT_FOUND' }]);
    },
  );
});

describe('the end of users', () => {
  const leave = (id: string) => asking.service.directory.change(tenant, id, 'user.deactivated');

  test('The report of an offboarding counts the active delegations, and the agents lose their tokens.', async () => {
    const app = await appFor(asking.service);
    const first = await acting({ app });
    await leave(first.user.id);
    await eventually(async () => !(await isLive(first.accessToken)));
    const { data } = await asking.ask(
      'query ($id: ID!) { departures(userId: $id) { doors { name count } } }',
      { id: first.user.id },
      admin,
    );
    expect(data.departures[0].doors).toContainEqual({ name: 'DELEGATIONS', count: 1 });
    expect((await first.exchange()).body.error).toBe('invalid_request');
    expect((await listed(first.user.id, admin)).totalCount).toBe(0);
  });

  test('A delegation that ended before is not counted by an offboarding.', async () => {
    const { user, delegationId } = await acting();
    await end(delegationId, user.accessToken);
    await leave(user.id);
    const doors = await eventually(
      async () =>
        (
          await asking.ask(
            'query ($id: ID!) { departures(userId: $id) { doors { name count } } }',
            { id: user.id },
            admin,
          )
        ).data.departures[0]?.doors,
      (found) => found !== undefined,
    );
    expect(doors).toContainEqual({ name: 'DELEGATIONS', count: 0 });
  });

  test('An exchange that runs beside an offboarding leaves no valid token and no delegation.', async () => {
    const { user, exchange } = await acting();
    const [, ...answers] = await Promise.all([
      leave(user.id),
      ...Array.from({ length: 10 }, () => exchange()),
    ]);
    await eventually(async () => !(await isLive(user.accessToken)));
    for (const { status, body } of answers) {
      if (status === 200) expect(await isLive(body.access_token ?? '')).toBe(false);
    }
    expect((await listed(user.id, admin)).totalCount).toBe(0);
  });

  test('A reactivated user has no delegation from before, and a new sign-in permits a new one.', async () => {
    const app = await appFor(asking.service);
    const before = await acting({ app });
    const userName = `user-${people}`;
    await leave(before.user.id);
    await eventually(async () => !(await isLive(before.accessToken)));
    await asking.service.directory.change(tenant, before.user.id, 'user.reactivated');
    const { subjects } = asking.service.deps;
    await eventually(async () => (await subjects.find(tenant, before.user.id))?.active === true);
    const signedIn = await signInAndAllow(asking.service.browser(), app, userName);
    const { body } = await redeem(asking.service, app, signedIn);
    expect(await isLive(before.accessToken)).toBe(false);
    expect((await before.exchange()).body.error).toBe('invalid_request');
    const agent = { clientId: before.agentId, secret: before.secret, tenant };
    const next = await exchangeFor(asking.service, agent, body.access_token ?? '');
    expect(await isLive(next.body.access_token ?? '')).toBe(true);
  });

  test('A delegation is deleted with its expired grant.', async () => {
    const { delegationId } = await acting();
    const { sql } = asking.service.deps.database;
    const left = async () =>
      (await sql.query('SELECT 1 FROM auth.delegations WHERE id = $1', [delegationId])).rowCount;
    expect(await left()).toBe(1);
    await sql.query(
      `UPDATE auth.grants SET expires_at = now() - interval '2 hours'
        WHERE id = (SELECT grant_id FROM auth.delegations WHERE id = $1)`,
      [delegationId],
    );
    await pruneExpired(sql);
    expect(await left()).toBe(0);
  });

  test('The offboarding of the owner of an agent ends its tokens and delegations.', async () => {
    const { service } = asking;
    const owner = await service.person('agent-owner');
    await service.internal('POST', `/tenants/${tenant}/roles`, { subject: owner.id, role: 'tenant_admin' });
    const scope = 'openid profile clients:read clients:write';
    const console = await service.client({ require_consent: false, scope });
    const { body } = await redeem(
      service,
      console,
      await signInAndAllow(service.browser(), console, 'agent-owner', { scope }),
    );
    const app = await appFor(service);
    const registered = await asking.ask(
      `mutation ($input: RegisterClientInput!) { registerClient(input: $input) {
         client { id tokenExchange { agent agentTokenLifetimeSeconds } } clientSecret problems { message } } }`,
      {
        input: {
          name: 'Agent',
          grantTypes: ['urn:ietf:params:oauth:grant-type:token-exchange'],
          scopes: ['openid', 'profile'],
          tokenEndpointAuthMethod: 'CLIENT_SECRET_POST',
          tokenExchange: { subjectClients: [app.clientId], agent: true, agentTokenLifetimeSeconds: 120 },
        },
      },
      body.access_token ?? '',
    );
    const { client, clientSecret } = registered.data.registerClient;
    expect(client.tokenExchange).toEqual({ agent: true, agentTokenLifetimeSeconds: 120 });
    const one = await acting({ app, given: { clientId: client.id, secret: clientSecret } });
    expect(await isLive(one.accessToken)).toBe(true);
    await leave(owner.id);
    await eventually(async () => !(await isLive(one.accessToken)));
    expect(await isLive(one.user.accessToken)).toBe(true);
    expect((await listed(one.user.id, admin)).totalCount).toBe(0);
    expect((await one.exchange()).status).not.toBe(200);
  });
});

test('The account page lists the agent, and its button ends the delegation.', async () => {
  const { service } = asking;
  const one = await acting();
  const browser = service.browser();
  const page = await openAccount(browser, `user-${people}`, '');
  expect(page.text).toContain('Agent: acts on your behalf');
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  await browser.post(`${accountPath}/apps/withdraw`, { csrf, client: one.agentId });
  expect(await isLive(one.accessToken)).toBe(false);
  expect(await isLive(one.user.accessToken)).toBe(true);
});
