import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { decodeProtectedHeader } from 'jose';
import { eventType } from '../../../src/signals/domain/event-types.ts';
import { type Backend, createBackend, type RunningAuth, startAuth } from '../../support/running-auth.ts';
import { TestReceiver } from '../deliveries/receiving.ts';
import { eventOf, happen, type Receiver, receiver, verified } from './receiving.ts';

let backend: Backend;
let auth: RunningAuth;
let customer: TestReceiver;
let app: Receiver;

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend, {
    env: { OUTGOING_ALLOW_PRIVATE: 'true', DELIVERY_RETRY_FIRST_SECONDS: '1', DELIVERY_TIMEOUT_SECONDS: '2' },
  });
  customer = await new TestReceiver().start();
});

afterAll(async () => {
  await auth?.stop();
  customer?.stop();
  await backend?.drop();
});

beforeEach(async () => {
  app = await receiver(auth);
  customer.answer = (_, response) => void response.writeHead(202).end();
});

// Prevents deliveries of the next test to these streams.
afterEach(async () => {
  await auth.database.sql.query('DELETE FROM auth.receivers');
});

/** Returns the tokens received at a path, verified by the tenant's keys. */
const at = (path: string) => Promise.all(customer.at(path).map(({ body }) => verified(app, body)));

const stateOf = async (streamId: string) => {
  const { rows } = await auth.database.sql.query<{ state: string; error: string | null; attempts: number }>(
    `SELECT state, last_error AS error, attempts FROM auth.deliveries WHERE receiver_id = $1 ORDER BY position`,
    [streamId],
  );
  return rows;
};

describe('push (RFC 8935)', () => {
  test('A push sends a valid signed token with the authorization header of the stream.', async () => {
    const { stream_id: id } = await app.push(customer.url('/whole'));
    const user = await happen(auth, { type: 'user.deactivated', version: 3n });
    await eventually(async () => customer.at('/whole').length === 2);
    const [request] = customer.at('/whole');
    expect(request?.headers).toMatchObject({
      'content-type': 'application/secevent+jwt',
      accept: 'application/json',
      authorization: 'Bearer its-own',
    });
    const tokens = await at('/whole');
    expect(tokens.map((token) => eventOf(token)[0])).toEqual([
      eventType.accountDisabled,
      eventType.scimDeactivate,
    ]);
    expect(tokens[0]).toMatchObject({ sub_id: { format: 'iss_sub', iss: app.issuer, sub: user } });
    expect(tokens[1]).toMatchObject({ sub_id: { format: 'scim', uri: `/Users/${user}` } });
    expect(new Set(tokens.map(({ jti }) => jti)).size).toBe(2);
    expect(new Set(tokens.map(({ txn }) => txn)).size).toBe(1);
    expect(Object.keys(tokens[0] ?? {})).not.toEqual(expect.arrayContaining(['sub']));
    expect((await stateOf(id)).filter(({ state }) => state !== 'delivered')).toEqual([]);
  });

  test('A push that failed is repeated with the same claims.', async () => {
    let failures = 2;
    customer.answer = (_, response) => void response.writeHead(failures-- > 0 ? 503 : 202).end();
    await app.push(customer.url('/again'), { events_requested: [eventType.accountEnabled] });
    await happen(auth, { type: 'user.reactivated' });
    await eventually(async () => customer.at('/again').length === 3);
    const [first, ...others] = await at('/again');
    expect(others).toEqual([first, first]);
  });

  test('A push that the receiver cannot process is given up, and the reported error is kept.', async () => {
    customer.answer = (_, response) =>
      void response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ err: 'invalid_audience', description: 'Not for\nme' }));
    const { stream_id: id } = await app.push(customer.url('/wrong'), {
      events_requested: [eventType.accountEnabled],
    });
    await happen(auth, { type: 'user.reactivated' });
    await eventually(async () => (await stateOf(id))[0]?.state === 'dead');
    expect(await stateOf(id)).toEqual([
      { state: 'dead', error: 'invalid_audience: Not for me', attempts: 1 },
    ]);
  });

  test.each([
    ['a key it doesn’t know yet', 400, { err: 'invalid_key' }, 'invalid_key'],
    ['rights that aren’t set up yet', 400, { err: 'access_denied', description: 'No' }, 'access_denied: No'],
    ['an answer that isn’t one', 400, 'oops', 'The receiver returned status 400.'],
    ['a redirect, which is not followed', 302, '', 'The receiver returned status 302.'],
    ['an address that is gone', 410, '', 'The receiver returned status 410.'],
  ])('A push is retried after %s.', async (_what, status, said, error) => {
    customer.answer = (_, response) =>
      void response.writeHead(status, { location: customer.url('/elsewhere') }).end(JSON.stringify(said));
    const { stream_id: id } = await app.push(customer.url('/retry'), {
      events_requested: [eventType.accountEnabled],
    });
    await happen(auth, { type: 'user.reactivated' });
    await eventually(async () => (await stateOf(id))[0]?.error === error);
    expect((await stateOf(id))[0]?.state).toBe('pending');
    expect(customer.at('/elsewhere')).toEqual([]);
  });

  test('Pushes keep the order of each subject despite failures, and no subject waits for another.', async () => {
    const [slow, quick] = [uuidv7(), uuidv7()];
    const failed = new Set<string>();
    customer.answer = ({ body }, response) => {
      const { jti, sub_id } = JSON.parse(Buffer.from(body.split('.')[1] ?? '', 'base64url').toString());
      const fails = sub_id.sub === slow && !failed.has(jti);
      failed.add(jti);
      response.writeHead(fails ? 500 : 202).end();
    };
    await app.push(customer.url('/order'), {
      events_requested: [eventType.accountDisabled, eventType.accountEnabled],
    });
    for (const type of ['user.deactivated', 'user.reactivated', 'user.deactivated'] as const) {
      for (const id of [slow, quick]) await happen(auth, { type, subject: { kind: 'user', id } });
    }
    const seen = async (id: string) =>
      (await at('/order'))
        .filter((token) => (token.sub_id as { sub: string }).sub === id)
        .map((token) => eventOf(token)[0]);
    const inOrder = [eventType.accountDisabled, eventType.accountEnabled, eventType.accountDisabled];
    await eventually(async () => (await seen(quick)).length === 3);
    expect((await seen(slow)).length).toBeLessThan(6);
    await eventually(async () => (await seen(slow)).length === 6);
    expect(await seen(quick)).toEqual(inOrder);
    // Each was sent twice: the failed attempt and the retry.
    expect(await seen(slow)).toEqual(inOrder.flatMap((uri) => [uri, uri]));
  });

  test('A receiver that hangs does not delay the pushes to others.', async () => {
    customer.answer = ({ path }, response) => {
      if (path !== '/hangs') response.writeHead(202).end();
    };
    const theirs = await receiver(auth);
    await theirs.push(customer.url('/hangs'));
    await app.push(customer.url('/quick'));
    for (let n = 0; n < 20; n += 1) await happen(auth, { type: 'session.revoked', data: { reason: 'x' } });
    // The other receiver is still at its first deliveries, which take two seconds to time out.
    await eventually(async () => customer.at('/quick').length === 20);
    expect(customer.at('/hangs').length).toBeLessThanOrEqual(10);
  });

  test('A push identifies users by their stored address when the stream requests it.', async () => {
    await app.push(customer.url('/mail'), { events_requested: [eventType.sessionRevoked], format: 'email' });
    const id = uuidv7();
    await auth.database.sql.query(
      `INSERT INTO auth.subjects (tenant, id, user_name, user_name_key, active, version, profile)
       VALUES ('demo', $1, 'm', 'm', true, 1, $2)`,
      [
        id,
        JSON.stringify({
          userName: 'm',
          emails: [{ value: 'a@x.example' }, { value: 'b@x.example', primary: true }],
        }),
      ],
    );
    await happen(auth, {
      type: 'session.revoked',
      subject: { kind: 'user', id },
      data: { sessionId: 's-1' },
    });
    await eventually(async () => customer.at('/mail').length === 1);
    const [token] = await at('/mail');
    expect(token?.sub_id).toEqual({
      format: 'complex',
      session: { format: 'opaque', id: 's-1' },
      user: { format: 'email', email: 'b@x.example' },
      tenant: { format: 'opaque', id: 'demo' },
    });
  });

  test('A push never contains events of another tenant, and none is sent for a client that was disabled.', async () => {
    const rival = await receiver(auth, { tenant: 'rival' });
    await rival.push(customer.url('/rival'));
    await app.push(customer.url('/mine'), { events_requested: [eventType.accountEnabled] });
    await happen(auth, { type: 'user.reactivated' });
    await eventually(async () => customer.at('/mine').length === 1);
    await auth.deps.clientRegistry.disable('demo', app.clientId);
    await happen(auth, { type: 'user.reactivated' });
    await happen(auth, { type: 'user.reactivated' }, 'rival');
    await eventually(async () => customer.at('/rival').length > 0);
    const [theirs] = await Promise.all(customer.at('/rival').map(({ body }) => verified(rival, body)));
    expect(theirs?.iss).toBe(rival.issuer);
    expect(customer.at('/mine')).toHaveLength(1);
  });

  test('A stream whose endpoint changed is pushed to the new one without the previous header.', async () => {
    const { stream_id: id } = await app.push(customer.url('/old'), {
      events_requested: [eventType.accountEnabled],
    });
    await app.ask('PATCH', 'stream', {
      stream_id: id,
      delivery: { method: 'urn:ietf:rfc:8935', endpoint_url: customer.url('/new') },
    });
    await happen(auth, { type: 'user.reactivated' });
    await eventually(async () => customer.at('/new').length === 1);
    expect(customer.at('/new')[0]?.headers).not.toHaveProperty('authorization');
    expect(customer.at('/old')).toEqual([]);
  });
});

test('After a key rotation, waiting events are signed with the new key.', async () => {
  const { stream_id: id } = await app.push(customer.url('/rotated'), {
    events_requested: [eventType.accountEnabled],
  });
  await app.setStatus(id, 'paused');
  await happen(auth, { type: 'user.reactivated' });
  const before = await auth.deps.signingKeys.signer('demo', 'RS256');
  await auth.deps.signingKeys.prepare('demo', ['RS256']);
  expect(await auth.deps.signingKeys.promote('demo', 'RS256', 0)).toBe(true);
  await app.setStatus(id, 'enabled');
  await eventually(async () => customer.at('/rotated').length === 1);
  await at('/rotated');
  expect(decodeProtectedHeader(customer.at('/rotated')[0]?.body ?? '').kid).not.toBe(before.kid);
});
