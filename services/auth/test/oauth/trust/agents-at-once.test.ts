import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { setOwner } from '../../../src/access/ownership/data/credential-owners.ts';
import { exchangeGrant } from '../../support/assertions.ts';
import {
  auth,
  type Confidential,
  confidential,
  exchange,
  given,
  other,
  setUpExchange,
  signIn,
} from '../../support/exchange.ts';
import { type Answer, issueCode, publicClient, register } from '../../support/running-auth.ts';

// Exchanges of agents lock user, agent and grant in the order of the changes that end them, so no change fails or waits
// for the detection of a deadlock because of an agent that exchanges all the time.

setUpExchange();

const delegationsOf = (userId: string) =>
  auth.deps.delegationList.page('demo', { userId }, { limit: 10, direction: 'forward' });

const isLive = async (token: unknown): Promise<boolean> =>
  (await auth.deps.introspection.liveAccessToken('demo', String(token))) !== null;

const isDisabled = async (id: string): Promise<boolean> =>
  (await auth.deps.clients.find('demo', id))?.disabled ?? false;

const deadlocks = async (): Promise<number> => {
  // PostgreSQL publishes the counters of a session after one second.
  await setTimeout(1_500);
  const { rows } = await auth.database.sql.query<{ deadlocks: number }>(
    'SELECT deadlocks::int AS deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]?.deadlocks ?? 0;
};

const waiting = (count: number): Promise<unknown> =>
  eventually(
    async () =>
      (
        await other.database.sql.query<{ count: number }>(
          `SELECT count(*)::int AS count FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
      ).rows[0]?.count ?? 0,
    (found) => found >= count,
  );

/**
 * Starts a change, and then exchanges, while the row of the agent is locked, so that all wait for it in this order.
 * Checks that no deadlock occurs, and that no token of the exchanges is valid afterwards.
 */
async function besideExchanges<T>(
  agent: Confidential,
  change: () => Promise<T>,
  subjectToken: string,
): Promise<T> {
  const before = await deadlocks();
  let changed: Promise<T> | undefined;
  let exchanged: Promise<Answer[]> | undefined;
  // At the second process, because each has few connections.
  await other.database.transaction(async (tx) => {
    const lock = 'SELECT FROM auth.clients WHERE tenant = $1 AND client_id = $2 FOR UPDATE';
    await tx.query(lock, ['demo', agent.id]);
    changed ??= change();
    await waiting(1);
    exchanged ??= Promise.all(
      Array.from({ length: 2 }, () => exchange(agent, { subject_token: subjectToken })),
    );
    await waiting(3);
  });
  const result = await (changed as Promise<T>);
  for (const { status, body } of (await exchanged) ?? []) {
    if (status === 200) expect(await isLive(body.access_token)).toBe(false);
    else expect([400, 401]).toContain(status);
  }
  expect(await deadlocks()).toBe(before);
  return result;
}

const agentOf = (app: string, metadata: Parameters<typeof register>[1] = {}): Promise<Confidential> =>
  confidential({ token_exchange_agent: true, token_exchange_subject_clients: [app], ...metadata });

const newApp = async (scope = publicClient.scope ?? ''): Promise<string> =>
  (await register(auth, { ...publicClient, scope })).client.clientId;

/** Registers an agent that users sign in to, and signs the user in. */
async function agentWithGrant(): Promise<{ agent: Confidential; token: string }> {
  const redirectUri = 'https://agent.example/cb';
  const { client, clientSecret = '' } = await register(auth, {
    ...publicClient,
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['authorization_code', exchangeGrant],
    redirect_uris: [redirectUri],
    token_exchange_agent: true,
  });
  const agent = { id: client.clientId, secret: clientSecret };
  const { form } = await issueCode(auth, agent.id, { ...given.person, redirectUri });
  const { body } = await auth.post('/t/demo/token', form, { basic: [agent.id, agent.secret] });
  return { agent, token: String(body.access_token) };
}

/** Offboards a user. */
async function leaves(id: string): Promise<void> {
  const { database, deps } = auth;
  const change = {
    id,
    version: 1_000_000n,
    active: false,
    deleted: false,
    restorable: false,
    reactivated: false,
    profile: { userName: id, emails: [] },
  };
  const { revocations } = await database.transaction((tx) => deps.subjects.applyChange(tx, 'demo', change));
  await deps.revocations.publish(revocations);
}

describe('exchanges of an agent do not delay a change that ends them', () => {
  test('An agent that exchanges the tokens of its own grants is disabled.', async () => {
    const { agent, token } = await agentWithGrant();
    expect((await exchange(agent, { subject_token: token })).status).toBe(200);
    await besideExchanges(agent, () => auth.deps.clientRegistry.disable('demo', agent.id), token);
    expect(await isDisabled(agent.id)).toBe(true);
    expect(await delegationsOf(given.person.subjectId)).toEqual([]);
  });

  test('An agent that exchanges the tokens of its own grants is narrowed.', async () => {
    const { agent, token } = await agentWithGrant();
    const narrowing = () =>
      auth.deps.clientRegistry.update('demo', agent.id, (current) => ({ ...current, scope: 'openid' }));
    await besideExchanges(agent, narrowing, token);
    expect(await delegationsOf(given.person.subjectId)).toEqual([]);
  });

  test('The owner of both the app and the agent is offboarded.', async () => {
    const app = await newApp();
    const agent = await agentOf(app);
    const owner = (await signIn()).person.subjectId;
    for (const id of [app, agent.id])
      await setOwner(auth.database.sql, 'demo', 'client', id, { kind: 'user', id: owner });
    const user = await signIn({}, app);
    await besideExchanges(agent, () => leaves(owner), user.token);
    for (const id of [app, agent.id]) expect(await isDisabled(id)).toBe(true);
    expect(await isLive(user.token)).toBe(false);
    expect(await delegationsOf(user.person.subjectId)).toEqual([]);
  });

  test('A user who owns the app and the agent that acts for the same user is offboarded.', async () => {
    const app = await newApp();
    const agent = await agentOf(app);
    const user = await signIn({}, app);
    for (const id of [app, agent.id])
      await setOwner(auth.database.sql, 'demo', 'client', id, { kind: 'user', id: user.person.subjectId });
    await besideExchanges(agent, () => leaves(user.person.subjectId), user.token);
    expect(await delegationsOf(user.person.subjectId)).toEqual([]);
  });

  test('An API of the app and the agent loses a scope, which no delegation lists afterwards.', async () => {
    const [read, write] = ['agents:read', 'agents:write'];
    const identifier = 'https://agents.example/v1';
    const api = await auth.deps.apis.register('demo', {
      identifier,
      name: 'Agents',
      scopes: [read, write].map((name) => ({ name, descriptions: {} })),
      roles: [],
      tokenLifetimeSeconds: null,
      tokenFormat: 'jwt',
    });
    const scope = `openid offline_access ${read} ${write}`;
    const app = await newApp(scope);
    const agent = await agentOf(app, { scope });
    const scopes = ['openid', 'offline_access', read, write];
    const user = await signIn({ scopes, resources: [identifier] }, app);
    expect((await exchange(agent, { subject_token: user.token })).status).toBe(200);
    const [before] = await delegationsOf(user.person.subjectId);
    expect(before?.scopes).toEqual([read, write, 'openid']);
    const narrowing = () =>
      auth.deps.apis.update('demo', api.id, { scopes: [{ name: write, descriptions: {} }] });
    await besideExchanges(agent, narrowing, user.token);
    expect(await delegationsOf(user.person.subjectId)).toEqual([]);
    const again = await auth.post('/t/demo/token', {
      grant_type: 'refresh_token',
      refresh_token: user.refreshToken,
      client_id: app,
    });
    expect((await exchange(agent, { subject_token: String(again.body.access_token) })).status).toBe(200);
    const [after] = await delegationsOf(user.person.subjectId);
    expect(after?.scopes).toEqual([write, 'openid']);
  });
});
