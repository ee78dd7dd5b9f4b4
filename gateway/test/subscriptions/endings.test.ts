import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ServiceUnavailable } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { connectWs, subscribeSse } from '../support/live-clients.ts';
import { type Gateway, LiveSystem, subscriptionsAt } from '../support/live-system.ts';

let system: LiveSystem;
let gateway: Gateway;

beforeAll(async () => {
  system = await LiveSystem.start();
  gateway = await system.gateway();
});
afterAll(() => system.close());

const query = 'subscription { userChanged { id userId user { name } } }';
const plain = 'subscription { userChanged { id } }';
const subscribed = (count: number, at = gateway) =>
  eventually(async () => (await subscriptionsAt(at)) === count);

const token = (o: Partial<Parameters<LiveSystem['issuer']['token']>[0]> = {}) =>
  system.issuer.token({ subject: 'app', scopes: ['users:read'], ...o });

const revoke = (
  kind: 'jti' | 'subject' | 'session' | 'client' | 'tenant',
  key: string,
  tenant = 'demo',
  epoch?: number,
) =>
  system.issuer.revocations.apply([
    {
      seq: '1',
      tenant,
      kind,
      key,
      expiresAt: Date.now() / 1000 + 600,
      ...(epoch === undefined ? {} : { epoch }),
    },
  ]);

describe('the end of a token ends its subscriptions', () => {
  test('The event streams of a token end immediately when the token ends, with the reason.', async () => {
    const subscriber = subscribeSse(gateway.url, await token({ jti: 'sse-1' }), { query });
    const other = subscribeSse(gateway.url, await token(), { query });
    await subscribed(2);
    revoke('jti', 'sse-1');
    expect(await subscriber.ended).toBe('complete');
    // The revocation alone ends the stream: no event triggers a verification.
    expect(subscriber.results).toEqual([
      {
        errors: [
          { message: 'The access token is no longer valid.', extensions: { code: 'UNAUTHENTICATED' } },
        ],
      },
    ]);
    await system.publish({ type: 'user.updated' });
    await other.result(0);
    expect(subscriber.results).toHaveLength(1);
    other.stop();
    await subscribed(0);
  });

  test('The WebSocket of a token is closed with 4401 immediately when the token ends, each subscription with the reason.', async () => {
    const socket = connectWs(gateway.url, { authorization: `Bearer ${await token({ jti: 'ws-1' })}` });
    const subscribers = [socket.subscribe({ query }), socket.subscribe({ query: plain })];
    await subscribed(2);
    revoke('jti', 'ws-1');
    expect((await socket.closed).code).toBe(4401);
    for (const { results } of subscribers)
      expect(results[0]?.errors?.[0]?.extensions?.code).toBe('UNAUTHENTICATED');
    await subscribed(0);
  });

  test('A token that ends gets no more events, even while an event is being assembled for it.', async () => {
    const subscriber = subscribeSse(gateway.url, await token({ jti: 'mid-1' }), { query });
    await subscribed(1);
    const answer = Promise.withResolvers<void>();
    system.directory.held = answer.promise;
    const before = system.directory.asked;
    await system.publish({ type: 'user.updated' });
    await eventually(() => system.directory.asked > before);
    revoke('jti', 'mid-1');
    answer.resolve();
    await subscriber.ended;
    expect(subscriber.results).toHaveLength(1);
    expect(subscriber.results[0]).not.toHaveProperty('data');
    expect(subscriber.results[0]?.errors?.[0]?.extensions?.code).toBe('UNAUTHENTICATED');
  });

  test('A token gets no more events when its whole tenant is suspended, and tokens of other tenants still do.', async () => {
    const ours = subscribeSse(gateway.url, await token({ tenant: 'gone' }), { query });
    const theirs = subscribeSse(gateway.url, await token({ tenant: 'rival' }), { query });
    await subscribed(2);
    revoke('tenant', 'gone', 'gone');
    await ours.ended;
    await system.publish({ type: 'user.updated', tenant: 'rival' });
    expect((await theirs.result(0)).errors).toBeUndefined();
    theirs.stop();
    await subscribed(0);
  });

  test('A token that is revoked just before it connects gets no events.', async () => {
    const dead = await token({ jti: 'dead-1' });
    revoke('jti', 'dead-1');
    const subscriber = subscribeSse(gateway.url, dead, { query });
    expect(String(await subscriber.ended)).toMatch(/401/);
    expect((await connectWs(gateway.url, { authorization: `Bearer ${dead}` }).closed).code).toBe(4401);
  });

  test('A token that expires gets no more events and is disconnected with the reason.', async () => {
    const expiring = await token({ expiresIn: 3 });
    const subscriber = subscribeSse(gateway.url, expiring, { query });
    const socket = connectWs(gateway.url, { authorization: `Bearer ${expiring}` });
    const over = socket.subscribe({ query });
    await subscribed(2);
    expect(await subscriber.ended).toBe('complete');
    expect(subscriber.results[0]?.errors?.[0]).toEqual({
      message: 'The access token has expired.',
      extensions: { code: 'UNAUTHENTICATED' },
    });
    expect((await socket.closed).code).toBe(4401);
    expect(over.results[0]?.errors?.[0]?.message).toBe('The access token has expired.');
    await subscribed(0);
  });
});

describe('verification of the token for each event', () => {
  /** Starts a gateway whose verifier can change its result. */
  const watched = async () => {
    const { verifier } = system.issuer;
    const now: { verify: typeof verifier.verify } = { verify: (...args) => verifier.verify(...args) };
    const at = await system.gateway({
      verifier: { ...verifier, verify: (...args) => now.verify(...args) } as typeof verifier,
    });
    return { at, now, verify: verifier.verify.bind(verifier) };
  };
  const forbidden = {
    errors: [{ message: 'The access token no longer allows this.', extensions: { code: 'FORBIDDEN' } }],
  };

  test('A subscription that the token no longer permits ends at the next event, and the connection keeps the others.', async () => {
    const { at, now, verify } = await watched();
    const scopes = ['users:read', 'groups:read'];
    const socket = connectWs(at.url, { authorization: `Bearer ${token({ scopes })}` });
    const users = socket.subscribe({ query });
    const groups = socket.subscribe({ query: 'subscription { groupChanged { groupId } }' });
    const stream = subscribeSse(at.url, token({ scopes }), { query });
    await subscribed(3, at);
    await system.publish({ type: 'user.updated' });
    for (const each of [users, stream]) expect((await each.result(0)).errors).toBeUndefined();

    now.verify = async (...args) => ({ ...(await verify(...args)), scopes: new Set(['groups:read']) });
    await system.publish({ type: 'user.updated' });
    for (const each of [users, stream]) expect(await each.result(1)).toEqual(forbidden);
    await Promise.all([users.ended, stream.ended]);
    await system.publish({ type: 'group.updated', subject: 'staff' });
    expect((await groups.result(0)).data?.groupChanged?.groupId).toBe('staff');
    const again = socket.subscribe({ query });
    expect(await again.ended).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    expect((await socket.socket).readyState).toBe(1);
    await socket.client.dispose();
    await at.close();
  });

  test('No event is delivered while the token cannot be verified, and clients are asked to reconnect.', async () => {
    const { at, now } = await watched();
    const socket = connectWs(at.url, { authorization: `Bearer ${token()}` });
    const subscribers = [socket.subscribe({ query }), subscribeSse(at.url, token(), { query })];
    await subscribed(2, at);
    now.verify = async () => {
      throw new ServiceUnavailable('auth');
    };
    await system.publish({ type: 'user.updated' });
    expect((await socket.closed).code).toBe(1013);
    for (const { ended, results } of subscribers) {
      await ended;
      expect(results).toEqual([
        {
          errors: [
            {
              message: 'The access token cannot be checked right now. Try again shortly.',
              extensions: { code: 'SERVICE_UNAVAILABLE' },
            },
          ],
        },
      ]);
    }
    await subscribed(0, at);
    await at.close();
  });
});
