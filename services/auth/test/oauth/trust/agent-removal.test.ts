import { isDeepStrictEqual } from 'node:util';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import {
  auth,
  type Confidential,
  confidential,
  exchange,
  type Given,
  given,
  lives,
  setUpExchange,
  signIn,
  userinfo,
  web,
} from '../../support/exchange.ts';

// A removed agent does not begin again with a token of another grant, such as that of another device.

setUpExchange();

/** Acts for the users of `web`. */
let agent: Confidential;
/** Second sign-in of the user of `given` to the same app. */
let laptop: Given;

const newAgent = (): Promise<Confidential> =>
  confidential({ token_exchange_agent: true, token_exchange_subject_clients: [web] });

beforeEach(async () => {
  agent = await newAgent();
  laptop = await signIn(given.person);
});

const dead = { database: false, followed: [false, false], verifiers: [false, false] };
const eventuallyDead = (token: unknown) =>
  eventually(
    () => lives(token),
    (state) => isDeepStrictEqual(state, dead),
  );

const refused = { status: 400, body: { error: 'invalid_request' } };
const delegationsOf = (userId: string) =>
  auth.deps.delegationList.page('demo', { userId }, { limit: 10, direction: 'forward' });
const end = (id: string) => auth.deps.delegations.end('demo', id, { reason: 'ended' });
const remove = (tenant = 'demo') => auth.deps.account.withdraw(tenant, given.person.subjectId, agent.id);
const withLaptop = (by = agent) => exchange(by, { subject_token: laptop.token });

describe('the removal of an agent on the account page', () => {
  test('The agent gets nothing with a token of another grant until the user signs in to the app again.', async () => {
    const { body } = await exchange(agent);
    await remove();
    await eventuallyDead(body.access_token);
    for (const answer of [await exchange(agent), await withLaptop()]) expect(answer).toMatchObject(refused);
    expect(await delegationsOf(given.person.subjectId)).toEqual([]);
    for (const { token } of [given, laptop]) expect(await userinfo(token)).toBe(200);
    const next = await signIn(given.person);
    expect((await exchange(agent, { subject_token: next.token })).status).toBe(200);
  });

  test('The delegations under all grants end.', async () => {
    const answers = [await exchange(agent), await withLaptop()];
    expect(await delegationsOf(given.person.subjectId)).toHaveLength(2);
    await remove();
    for (const { body } of answers) await eventuallyDead(body.access_token);
    expect(await delegationsOf(given.person.subjectId)).toEqual([]);
    expect(await withLaptop()).toMatchObject(refused);
  });

  test('It stays removed when its registration is narrowed, and when it is disabled and enabled.', async () => {
    await exchange(agent);
    await remove();
    const { clientRegistry } = auth.deps;
    await clientRegistry.update('demo', agent.id, (current) => ({ ...current, scope: 'openid' }));
    expect(await withLaptop()).toMatchObject(refused);
    await clientRegistry.disable('demo', agent.id);
    await clientRegistry.enable('demo', agent.id, () => {});
    for (const answer of [await exchange(agent), await withLaptop()]) expect(answer).toMatchObject(refused);
  });

  test('Another agent and another user are not affected, and the rival tenant removes none.', async () => {
    const second = await newAgent();
    const colleague = await signIn();
    await remove('rival');
    expect((await exchange(agent)).status).toBe(200);
    await remove();
    expect((await withLaptop(second)).status).toBe(200);
    expect((await exchange(agent, { subject_token: colleague.token })).status).toBe(200);
  });

  test('No token and no delegation of exchanges that run beside it stays valid.', async () => {
    await exchange(agent);
    const [, ...answers] = await Promise.all([
      remove(),
      ...Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? withLaptop() : exchange(agent))),
    ]);
    for (const { status, body } of answers) {
      if (status === 200) await eventuallyDead(body.access_token);
      else expect(body.error).toBe('invalid_request');
    }
    expect(await delegationsOf(given.person.subjectId)).toEqual([]);
    expect(await withLaptop()).toMatchObject(refused);
  });
});

describe('the end of one delegation', () => {
  test('The agent opens no other under the grants of the user, until the user signs in to the app again.', async () => {
    const { body } = await exchange(agent);
    const [delegation] = await delegationsOf(given.person.subjectId);
    expect(await end(delegation?.id ?? '')).toBe(true);
    await eventuallyDead(body.access_token);
    expect(await withLaptop()).toMatchObject(refused);
    const next = await signIn(given.person);
    expect((await exchange(agent, { subject_token: next.token })).status).toBe(200);
  });

  test('A delegation under another grant stays listed and valid.', async () => {
    await exchange(agent);
    const [first] = await delegationsOf(given.person.subjectId);
    const { body } = await withLaptop();
    expect(await end(first?.id ?? '')).toBe(true);
    expect(await userinfo(body.access_token)).toBe(200);
    expect((await withLaptop()).status).toBe(200);
    expect(await delegationsOf(given.person.subjectId)).toHaveLength(1);
  });

  test('Parallel ends of all delegations of a user, beside exchanges and a removal, all end.', async () => {
    await exchange(agent);
    await withLaptop();
    const ids = (await delegationsOf(given.person.subjectId)).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    const ends = Promise.all([...ids, ...ids].map(end));
    const answers = await Promise.all(Array.from({ length: 6 }, () => withLaptop()));
    expect((await ends).filter(Boolean)).toHaveLength(2);
    for (const { status, body } of answers) if (status === 200) await eventuallyDead(body.access_token);
    await Promise.all([remove(), ...ids.map(end)]);
    expect(await delegationsOf(given.person.subjectId)).toEqual([]);
  });

  test('A first exchange with a token of another grant that runs beside the end is rejected or listed.', async () => {
    await exchange(agent);
    const [first] = await delegationsOf(given.person.subjectId);
    const [ended, answer] = await Promise.all([end(first?.id ?? ''), withLaptop()]);
    expect(ended).toBe(true);
    const left = await delegationsOf(given.person.subjectId);
    if (answer.status === 200) expect(left).toHaveLength(1);
    else expect({ answer, left }).toMatchObject({ answer: refused, left: [] });
  });
});
