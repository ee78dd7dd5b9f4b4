import { isDeepStrictEqual } from 'node:util';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { accessTokenType, person } from '../../support/assertions.ts';
import {
  alive,
  api,
  auth,
  backOffice,
  confidential,
  exchange,
  given,
  lives,
  own,
  setUpExchange,
  signIn,
  userinfo,
  web,
} from '../../support/exchange.ts';
import {
  claimsOf,
  type Fields,
  publicClient,
  type RunningAuth,
  register,
} from '../../support/running-auth.ts';

setUpExchange();

const dead = { database: false, followed: [false, false], verifiers: [false, false] };

async function eventuallyDead(token: unknown): Promise<void> {
  await eventually(
    () => lives(token),
    (state) => isDeepStrictEqual(state, dead),
  );
}

describe('the lineage of an exchanged token', () => {
  let twice: unknown;
  let actorToken: string;

  beforeEach(async () => {
    const once = await exchange(api);
    actorToken = await own(backOffice);
    const { body } = await exchange(backOffice, {
      subject_token: String(once.body.access_token),
      actor_token: actorToken,
      actor_token_type: accessTokenType,
    });
    twice = body.access_token;
    expect(await lives(twice)).toEqual(alive);
    expect(claimsOf(twice).derived_from).toHaveLength(3);
  });

  const revoke = (token: string, o: Parameters<RunningAuth['post']>[2], fields: Fields = {}) =>
    auth.post('/t/demo/revoke', { token, ...fields }, o);

  test('An exchanged token is revoked with the subject token.', async () => {
    await revoke(given.token, {}, { client_id: web });
    await eventuallyDead(twice);
  });

  test('An exchanged token is revoked with the grant of the subject token.', async () => {
    await revoke(given.refreshToken, {}, { client_id: web });
    await eventuallyDead(twice);
  });

  test('An exchanged token is revoked with the actor token.', async () => {
    await revoke(actorToken, { basic: [backOffice.id, backOffice.secret] });
    await eventuallyDead(twice);
    expect(await userinfo(given.token)).toBe(200);
  });

  test('Revocation of an exchanged token leaves the other tokens valid.', async () => {
    await revoke(String(twice), { basic: [backOffice.id, backOffice.secret] });
    await eventuallyDead(twice);
    expect(await userinfo(given.token)).toBe(200);
    expect(
      (
        await auth.post('/t/demo/token', {
          grant_type: 'refresh_token',
          refresh_token: given.refreshToken,
          client_id: web,
        })
      ).status,
    ).toBe(200);
  });

  test('An exchanged token is revoked with the session.', async () => {
    await auth.deps.sessions.revoke('demo', given.person.sessionId);
    await eventuallyDead(twice);
  });

  test('An exchanged token is revoked with the user.', async () => {
    await auth.deps.subjects.signOutEverywhere('demo', given.person.subjectId);
    await eventuallyDead(twice);
  });

  test('An exchanged token is revoked with the client that the subject token was issued to.', async () => {
    const app = await register(auth, publicClient);
    const service = await confidential({ token_exchange_subject_clients: [app.client.clientId] });
    const { token } = await signIn({}, app.client.clientId);
    const { body } = await exchange(service, { subject_token: token });
    expect(await lives(body.access_token)).toEqual(alive);
    await auth.deps.clientRegistry.disable('demo', app.client.clientId);
    await eventuallyDead(body.access_token);
  });

  test('An exchanged token is revoked with a client in the middle of the chain.', async () => {
    const first = await confidential({ token_exchange_subject_clients: [web] });
    const second = await confidential({ token_exchange_subject_clients: [first.id] });
    const once = await exchange(first);
    const { body } = await exchange(second, { subject_token: String(once.body.access_token) });
    await auth.deps.clientRegistry.disable('demo', first.id);
    await eventuallyDead(body.access_token);
    expect(await userinfo(given.token)).toBe(200);
  });

  test('A revoked token is not exchanged.', async () => {
    await auth.deps.sessions.revoke('demo', given.person.sessionId);
    for (const subject of [given.token, String(twice)]) {
      expect(await exchange(api, { subject_token: subject })).toMatchObject({
        status: 400,
        body: { error: 'invalid_request' },
      });
    }
  });
});

test('A personal access token is exchanged if the policy names its kind, and its end revokes the new token.', async () => {
  const subjectId = await person(auth, 'pat-owner');
  const subject = await auth.deps.subjects.find('demo', subjectId);
  if (!subject) throw new Error('no subject');
  const created = await auth.deps.apiTokens.createPersonal('demo', subject, { name: 'script' });
  expect((await exchange(api, { subject_token: created.token })).body.error).toBe('invalid_request');
  const service = await confidential({
    token_exchange_subject_clients: ['urn:ostiary:personal-access-token'],
  });
  const { body } = await exchange(service, { subject_token: created.token, scope: 'openid' });
  expect(claimsOf(body.access_token)).toMatchObject({ sub: subjectId, client_id: service.id });
  expect(await lives(body.access_token)).toEqual(alive);
  await auth.deps.apiTokens.revoke('demo', created.summary.id);
  await eventuallyDead(body.access_token);
});

test('An exchanged token cannot create a personal access token, which would outlive it.', async () => {
  const create = async (token: unknown): Promise<{ errors?: { extensions: { code: string } }[] }> => {
    const response = await fetch(`${auth.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${String(token)}` },
      body: JSON.stringify({
        query:
          'mutation { createPersonalAccessToken(input: { name: "mine", scopes: ["openid"] }) { token } }',
      }),
    });
    return (await response.json()) as { errors?: { extensions: { code: string } }[] };
  };
  const { token } = await signIn({ scopes: ['openid', 'self:tokens'] });
  expect((await create(token)).errors).toBeUndefined();
  const { body } = await exchange(api, { subject_token: token });
  expect((await create(body.access_token)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
});
