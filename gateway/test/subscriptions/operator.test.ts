import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { publicOrigin } from '@ostiary/access/testing';
import { eventually } from '@ostiary/service/testing';
import { connectWs, subscribeSse } from '../support/live-clients.ts';
import { type Gateway, LiveSystem } from '../support/live-system.ts';

let system: LiveSystem;
let gateway: Gateway;

beforeAll(async () => {
  system = await LiveSystem.start();
  gateway = await system.gateway();
});
afterAll(() => system.close());
beforeEach(() => subscribed(0));

const query = 'subscription { userChanged { userId user { name } } }';

/** Issues a token of the operator for the graph of one tenant. */
const acting = (tenant: string, jti: string, client = 'operator') =>
  system.issuer.token({
    tenant: 'platform',
    subject: client,
    scopes: ['users:read'],
    audience: `${publicOrigin}/t/${tenant}/graphql`,
    jti,
  });

const subscribed = (count: number) =>
  eventually(async () => {
    const text = await gateway.kit.metrics.metrics();
    return Number(/^live_subscriptions\{[^}]*\} (\d+)/m.exec(text)?.[1] ?? -1) === count;
  });

const revoke = (tenant: string, kind: 'jti' | 'client' | 'key', key: string) =>
  system.issuer.revocations.apply([{ seq: '1', tenant, kind, key, expiresAt: Date.now() / 1000 + 600 }]);

const dead = { code: 'UNAUTHENTICATED' };

describe('the operator token for the graph of a tenant', () => {
  test('The operator token for the graph of a tenant gets events of that tenant over both transports, and of no other.', async () => {
    const stream = subscribeSse(gateway.url, acting('demo', 'listens-1'), { query });
    const socket = connectWs(gateway.url, { authorization: `Bearer ${acting('demo', 'listens-2')}` });
    const over = socket.subscribe({ query });
    await subscribed(2);
    await system.publish({ type: 'user.updated', tenant: 'rival', subject: 'mallory' });
    await system.publish({ type: 'user.updated', tenant: 'platform' });
    await system.publish({ type: 'user.updated', subject: 'bob' });
    for (const subscriber of [stream, over]) {
      const { data, errors } = await subscriber.result(0);
      expect(errors).toBeUndefined();
      expect(data).toEqual({ userChanged: { userId: 'bob', user: { name: 'Bob' } } });
      subscriber.stop();
    }
    (await socket.socket).terminate();
  });

  test.each([
    ['it is revoked itself', 'jti', 'ends-1'],
    ['its client is', 'client', 'operator-1'],
  ] as const)(
    'The operator token gets no more events once %s, in every tenant, and no other token is affected.',
    async (_when, kind, key) => {
      const client = kind === 'client' ? key : 'operator';
      const jti = kind === 'jti' ? key : 'ends-2';
      const stream = subscribeSse(gateway.url, acting('demo', jti, client), { query });
      const socket = connectWs(gateway.url, { authorization: `Bearer ${acting('rival', jti, client)}` });
      const over = socket.subscribe({ query });
      const another = subscribeSse(gateway.url, acting('demo', 'stays', 'operator-2'), { query });
      // The same name in a tenant is a different subject.
      const namesake = subscribeSse(
        gateway.url,
        system.issuer.token({ subject: client, scopes: ['users:read'], jti }),
        { query },
      );
      await subscribed(4);
      revoke('platform', kind, key);
      expect(await stream.ended).toBe('complete');
      expect((await socket.closed).code).toBe(4401);
      expect(stream.results).toEqual([
        { errors: [{ message: 'The access token is no longer valid.', extensions: dead }] },
      ]);
      expect(over.results[0]?.errors?.[0]?.extensions).toEqual(dead);
      await system.publish({ type: 'user.updated' });
      for (const subscriber of [another, namesake]) {
        expect((await subscriber.result(0)).errors).toBeUndefined();
        subscriber.stop();
      }
      const again = connectWs(gateway.url, { authorization: `Bearer ${acting('demo', jti, client)}` });
      expect((await again.closed).code).toBe(4401);
    },
  );

  test('The operator token is not affected by revocations of the same name in the tenant.', async () => {
    const stream = subscribeSse(gateway.url, acting('demo', 'same'), { query });
    await subscribed(1);
    revoke('demo', 'jti', 'same');
    revoke('demo', 'client', 'operator');
    await system.publish({ type: 'user.updated' });
    expect((await stream.result(0)).errors).toBeUndefined();
    stream.stop();
  });

  test('The operator token ends in a tenant that is suspended, and in no other tenant.', async () => {
    const stream = subscribeSse(gateway.url, acting('demo', 'suspended-1'), { query });
    const socket = connectWs(gateway.url, { authorization: `Bearer ${acting('demo', 'suspended-2')}` });
    const over = socket.subscribe({ query });
    const elsewhere = subscribeSse(gateway.url, acting('rival', 'suspended-3'), { query });
    await subscribed(3);
    await system.publish({ type: 'tenant.suspended', subject: 'demo' });
    expect(await stream.ended).toBe('complete');
    expect((await socket.closed).code).toBe(4403);
    for (const { results } of [stream, over]) {
      expect(results).toEqual([
        { errors: [{ message: 'The tenant has been suspended.', extensions: { code: 'FORBIDDEN' } }] },
      ]);
    }
    await system.publish({ type: 'user.updated', tenant: 'rival', subject: 'mallory' });
    expect((await elsewhere.result(0)).errors).toBeUndefined();
    elsewhere.stop();
  });

  test('The operator token ends when the key that signed it is retired.', async () => {
    const stream = subscribeSse(gateway.url, acting('demo', 'signed'), { query });
    const theirs = subscribeSse(gateway.url, system.issuer.token({ scopes: ['users:read'] }), { query });
    await subscribed(2);
    revoke('platform', 'key', 'k1');
    expect(await stream.ended).toBe('complete');
    await system.publish({ type: 'user.updated' });
    expect((await theirs.result(0)).errors).toBeUndefined();
    theirs.stop();
  });
});

test('A token of a tenant for its own graph gets the events of the tenant.', async () => {
  const audience = `${publicOrigin}/t/demo/graphql`;
  const stream = subscribeSse(gateway.url, system.issuer.token({ scopes: ['users:read'], audience }), {
    query,
  });
  await subscribed(1);
  await system.publish({ type: 'user.updated' });
  expect((await stream.result(0)).errors).toBeUndefined();
  stream.stop();
});
