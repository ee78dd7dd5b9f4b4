import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { accessTokenType, exchangeGrant } from '../../support/assertions.ts';
import {
  alive,
  api,
  auth,
  type Confidential,
  confidential,
  exchange,
  given,
  impersonator,
  lives,
  other,
  own,
  setUpExchange,
  signIn,
  userinfo,
  web,
} from '../../support/exchange.ts';
import { claimsOf, issueCode, publicClient, register } from '../../support/running-auth.ts';

setUpExchange();

const dead = { database: false, followed: [false, false], verifiers: [false, false] };
const eventuallyDead = (token: unknown) =>
  eventually(
    () => lives(token),
    (state) => isDeepStrictEqual(state, dead),
  );

/** Agent for users of `web`. */
let agent: Confidential;

beforeAll(async () => {
  agent = await newAgent();
});

const newAgent = (metadata: Parameters<typeof register>[1] = {}): Promise<Confidential> =>
  confidential({
    token_exchange_agent: true,
    token_exchange_subject_clients: [web],
    scope: 'openid profile email users:read',
    ...metadata,
  });

const delegationsOf = (userId: string, tenant = 'demo') =>
  auth.deps.delegationList.page(tenant, { userId }, { limit: 10, direction: 'forward' });

async function delegationOf(userId: string): Promise<string> {
  const [found] = await delegationsOf(userId);
  if (!found) throw new Error('no delegation');
  return found.id;
}

const end = (id: string, tenant = 'demo') => auth.deps.delegations.end(tenant, id, { reason: 'ended' });

const refused = { status: 400, body: { error: 'invalid_request' } };

describe('the token of an agent', () => {
  test('The token names the agent as the actor, is short-lived and is not refreshable.', async () => {
    const { status, body } = await exchange(agent, { scope: 'openid email' });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('refresh_token');
    expect(body.scope).toBe('openid email');
    expect(Number(body.expires_in)).toBeLessThanOrEqual(300);
    expect(claimsOf(body.access_token)).toMatchObject({
      sub: given.person.subjectId,
      client_id: agent.id,
      act: { sub: agent.id, client_id: agent.id },
    });
    expect(await userinfo(body.access_token)).toBe(200);
    expect(await lives(body.access_token)).toEqual(alive);
    const principal = await other.deps.verifier.verify(String(body.access_token), {
      audience: auth.issuer('demo'),
    });
    expect(principal.actors).toEqual([{ subject: agent.id, clientId: agent.id }]);
  });

  test('Introspection of the token shows the agent.', async () => {
    const { body } = await exchange(agent);
    const seen = await auth.post(
      '/t/demo/introspect',
      { token: String(body.access_token) },
      { basic: [agent.id, agent.secret] },
    );
    expect(seen.body).toMatchObject({ active: true, act: { sub: agent.id, client_id: agent.id } });
  });

  test('The registration of an agent can shorten its tokens, and no token outlives the subject token.', async () => {
    const brief = await newAgent({ token_exchange_agent_lifetime: 40 });
    expect(Number((await exchange(brief)).body.expires_in)).toBeLessThanOrEqual(40);
    const long = await newAgent({ token_exchange_agent_lifetime: 3600 });
    const { body } = await exchange(long);
    expect(claimsOf(body.access_token).exp).toBeLessThanOrEqual(Number(claimsOf(given.token).exp));
  });

  test('One delegation per grant and agent is listed, with all scopes, and its creation is logged once.', async () => {
    await exchange(agent, { scope: 'openid' });
    await Promise.all(Array.from({ length: 5 }, () => exchange(agent, { scope: 'email' })));
    const found = await delegationsOf(given.person.subjectId);
    expect(found).toMatchObject([{ clientId: agent.id, scopes: ['email', 'openid'] }]);
    const events = await auth.database.sql.query<{ action: string }>(
      `SELECT action FROM auth.security_log WHERE tenant = 'demo' AND resource_id = $1`,
      [found[0]?.id],
    );
    expect(events.rows).toEqual([{ action: 'delegation.created' }]);
  });

  test('Parallel first exchanges open one delegation.', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(agent)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await delegationsOf(given.person.subjectId)).toHaveLength(1);
  });

  test('An agent that exchanges the token of another agent is the actor, and the former actor is nested.', async () => {
    const second = await newAgent({ token_exchange_subject_clients: [agent.id] });
    const first = await exchange(agent);
    const { body } = await exchange(second, { subject_token: String(first.body.access_token) });
    expect(claimsOf(body.access_token).act).toEqual({
      sub: second.id,
      client_id: second.id,
      act: { sub: agent.id, client_id: agent.id },
    });
    expect(await lives(body.access_token)).toEqual(alive);
    const delegations = await delegationsOf(given.person.subjectId);
    const ofFirst = delegations.find(({ clientId }) => clientId === agent.id)?.id ?? '';
    expect(await end(ofFirst)).toBe(true);
    await eventuallyDead(body.access_token);
  });

  test('An agent is the actor also with a token that the user granted to it.', async () => {
    const app = await register(auth, {
      ...publicClient,
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', exchangeGrant],
      redirect_uris: ['https://agent.example/cb'],
      token_exchange_agent: true,
    });
    const client = { id: app.client.clientId, secret: app.clientSecret ?? '' };
    const code = await issueCode(auth, client.id, { redirectUri: 'https://agent.example/cb' });
    const granted = await auth.post('/t/demo/token', code.form, { basic: [client.id, client.secret] });
    const first = await exchange(client, { subject_token: String(granted.body.access_token) });
    expect(claimsOf(first.body.access_token).act).toEqual({ sub: client.id, client_id: client.id });
    const narrowed = await exchange(client, {
      subject_token: String(first.body.access_token),
      scope: 'openid',
    });
    expect(claimsOf(narrowed.body.access_token).act).toEqual({ sub: client.id, client_id: client.id });
  });
});

describe('attempts to exceed a delegation', () => {
  test('An agent gets no scope that the subject token lacks, although it is registered for it.', async () => {
    const answer = await exchange(agent, { scope: 'openid users:read' });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    expect(await delegationsOf(given.person.subjectId)).toEqual([]);
  });

  test('An agent gets no scope that it is not registered for.', async () => {
    expect((await exchange(agent, { scope: 'openid groups' })).body.error).toBe('invalid_scope');
    expect((await exchange(agent)).body.scope).toBe('openid profile email');
  });

  test('The token of an agent cannot be exchanged for more scopes, nor for a longer lifetime.', async () => {
    const wide = await confidential({ token_exchange_subject_clients: [agent.id], scope: 'openid email' });
    const { body } = await exchange(agent, { scope: 'openid' });
    const subject = { subject_token: String(body.access_token) };
    for (const client of [agent, wide]) {
      expect((await exchange(client, { ...subject, scope: 'openid email' })).body.error).toBe(
        'invalid_scope',
      );
    }
    const again = await exchange(wide, subject);
    expect(again.body.scope).toBe('openid');
    expect(claimsOf(again.body.access_token).exp).toBeLessThanOrEqual(
      Number(claimsOf(body.access_token).exp),
    );
    expect(await end(await delegationOf(given.person.subjectId))).toBe(true);
    await eventuallyDead(again.body.access_token);
  });

  test('A token without a grant of a user, or with another actor, is rejected.', async () => {
    const reader = await newAgent({
      token_exchange_subject_clients: [web, api.id, 'urn:ostiary:personal-access-token'],
    });
    const user = await auth.deps.subjects.find('demo', given.person.subjectId);
    if (!user) throw new Error('no subject');
    const personal = await auth.deps.apiTokens.createPersonal('demo', user, { name: 'script' });
    expect(await exchange(reader, { subject_token: personal.token })).toMatchObject(refused);
    expect(await exchange(reader, { subject_token: await own(api) })).toMatchObject(refused);
    const asOther = { actor_token: await own(api), actor_token_type: accessTokenType };
    expect(await exchange(reader, asOther)).toMatchObject(refused);
    const asItself = { actor_token: await own(reader), actor_token_type: accessTokenType };
    expect((await exchange(reader, asItself)).status).toBe(200);
  });

  test('A subject token that permits another actor is rejected.', async () => {
    const app = await register(auth, { ...publicClient, may_act: api.id });
    const { token } = await signIn({}, app.client.clientId);
    const reader = await newAgent({ token_exchange_subject_clients: [app.client.clientId] });
    expect(await exchange(reader, { subject_token: token })).toMatchObject(refused);
  });

  test('An agent of the rival tenant gets nothing for a user of this one, and ends none of its delegations.', async () => {
    const { client, clientSecret = '' } = await register(
      auth,
      {
        grant_types: [exchangeGrant],
        redirect_uris: [],
        scope: 'openid email',
        token_exchange_agent: true,
        token_exchange_subject_clients: [web],
      },
      'rival',
    );
    const form = {
      grant_type: exchangeGrant,
      subject_token: given.token,
      subject_token_type: accessTokenType,
    };
    const basic = { basic: [client.clientId, clientSecret] as const };
    expect(await auth.post('/t/rival/token', form, basic)).toMatchObject(refused);
    expect((await auth.post('/t/demo/token', form, basic)).status).toBe(401);
    const { body } = await exchange(agent);
    const id = await delegationOf(given.person.subjectId);
    expect(await end(id, 'rival')).toBe(false);
    expect(await auth.deps.delegationList.byIds('rival', [id])).toEqual([]);
    expect(await delegationsOf(given.person.subjectId, 'rival')).toEqual([]);
    expect(await lives(body.access_token)).toEqual(alive);
  });

  test.each([
    ['an agent that impersonates', { token_exchange_agent: true, token_exchange_impersonation: true }],
    [
      'an agent without the token exchange grant',
      { token_exchange_agent: true, grant_types: ['client_credentials'] },
    ],
    ['a lifetime below 30 s', { token_exchange_agent: true, token_exchange_agent_lifetime: 29 }],
    ['a lifetime above one hour', { token_exchange_agent: true, token_exchange_agent_lifetime: 3601 }],
    ['a fraction of a second', { token_exchange_agent: true, token_exchange_agent_lifetime: 60.5 }],
    ['a lifetime without an agent', { token_exchange_agent_lifetime: 60 }],
  ])('The registration of %s is rejected.', async (_, metadata) => {
    await expect(confidential(metadata)).rejects.toMatchObject({ code: 'invalid_client_metadata' });
  });
});

describe('the end of a delegation', () => {
  test('Its end revokes the tokens of the agent, and the agent gets none under the same grant.', async () => {
    const { body } = await exchange(agent);
    const id = await delegationOf(given.person.subjectId);
    expect(await end(id)).toBe(true);
    await eventuallyDead(body.access_token);
    expect(await exchange(agent)).toMatchObject(refused);
    expect(await delegationsOf(given.person.subjectId)).toEqual([]);
    expect(await end(id)).toBe(false);
    expect(await userinfo(given.token)).toBe(200);
  });

  test('A new grant of the same user permits a new delegation.', async () => {
    await exchange(agent);
    await end(await delegationOf(given.person.subjectId));
    const next = await signIn(given.person);
    expect((await exchange(agent, { subject_token: next.token })).status).toBe(200);
  });

  test('No token of an exchange that runs beside the end of the delegation stays valid.', async () => {
    await exchange(agent);
    const id = await delegationOf(given.person.subjectId);
    const [ended, ...answers] = await Promise.all([
      end(id),
      ...Array.from({ length: 12 }, () => exchange(agent)),
    ]);
    expect(ended).toBe(true);
    for (const { status, body } of answers) {
      if (status === 200) await eventuallyDead(body.access_token);
      else expect(body.error).toBe('invalid_request');
    }
  });

  test('No token of an exchange that runs beside the end of the user stays valid.', async () => {
    const [, ...answers] = await Promise.all([
      auth.deps.subjects.signOutEverywhere('demo', given.person.subjectId),
      ...Array.from({ length: 12 }, () => exchange(agent)),
    ]);
    for (const { status, body } of answers) if (status === 200) await eventuallyDead(body.access_token);
    expect(await delegationsOf(given.person.subjectId)).toEqual([]);
  });

  test('No token of an exchange that runs beside the end of the agent stays valid.', async () => {
    const one = await newAgent();
    const [, ...answers] = await Promise.all([
      auth.deps.clientRegistry.disable('demo', one.id),
      ...Array.from({ length: 12 }, () => exchange(one)),
    ]);
    for (const { status, body } of answers) if (status === 200) await eventuallyDead(body.access_token);
    expect(await delegationsOf(given.person.subjectId)).toEqual([]);
  });

  test('A user whose access ended before the exchange is not acted for.', async () => {
    await auth.deps.subjects.signOutEverywhere('demo', given.person.subjectId);
    expect(await exchange(agent)).toMatchObject(refused);
    expect(await delegationsOf(given.person.subjectId)).toEqual([]);
  });

  test('The grant of the user ends the delegation.', async () => {
    const { body } = await exchange(agent);
    await auth.post('/t/demo/revoke', { token: given.refreshToken, client_id: web });
    await eventuallyDead(body.access_token);
    expect(await delegationsOf(given.person.subjectId)).toEqual([]);
  });

  test('A disabled agent loses its delegations, and does not get them again when it is enabled.', async () => {
    const one = await newAgent();
    const { body } = await exchange(one);
    await auth.deps.clientRegistry.disable('demo', one.id);
    await eventuallyDead(body.access_token);
    expect(await delegationsOf(given.person.subjectId)).toEqual([]);
    expect((await exchange(one)).status).toBe(401);
    await auth.deps.clientRegistry.enable('demo', one.id, () => {});
    expect(await exchange(one)).toMatchObject(refused);
    const next = await signIn(given.person);
    expect((await exchange(one, { subject_token: next.token })).status).toBe(200);
  });

  test.each([
    ['is no longer an agent', { token_exchange_agent: false }],
    ['loses a scope', { scope: 'openid' }],
    ['gets a shorter lifetime', { token_exchange_agent_lifetime: 60 }],
    ['may no longer exchange the tokens of the app', { token_exchange_subject_clients: [] }],
  ])('The tokens of a client that %s end, and its delegations are no longer listed.', async (_, changes) => {
    const one = await newAgent();
    const { body } = await exchange(one);
    await auth.deps.clientRegistry.update('demo', one.id, (current) => ({ ...current, ...changes }));
    await eventuallyDead(body.access_token);
    expect(await delegationsOf(given.person.subjectId)).toEqual([]);
  });

  test('A client that becomes an agent loses the tokens that it exchanged without a delegation.', async () => {
    const one = await newAgent({ token_exchange_agent: false });
    const { body } = await exchange(one);
    await auth.deps.clientRegistry.update('demo', one.id, (current) => ({
      ...current,
      token_exchange_agent: true,
    }));
    await eventuallyDead(body.access_token);
  });

  test('A user sees the agent among the apps of the account page, and ends it there.', async () => {
    const { body } = await exchange(agent, { scope: 'openid email' });
    const { subjectId } = given.person;
    const apps = await auth.deps.account.apps('demo', subjectId);
    expect(apps.find(({ clientId }) => clientId === agent.id)).toMatchObject({
      agent: true,
      scopes: ['email', 'openid'],
    });
    expect(apps.find(({ clientId }) => clientId === web)).toMatchObject({ agent: false });
    await auth.deps.account.withdraw('demo', subjectId, agent.id);
    await eventuallyDead(body.access_token);
    expect(await exchange(agent)).toMatchObject(refused);
    expect(await userinfo(given.token)).toBe(200);
  });

  test('Other clients exchange tokens without a delegation.', async () => {
    for (const client of [api, impersonator]) expect((await exchange(client)).status).toBe(200);
    expect(await delegationsOf(given.person.subjectId)).toEqual([]);
  });
});
