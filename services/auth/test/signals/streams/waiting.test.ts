import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
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
    // A failed attempt is not retried during a test.
    env: { OUTGOING_ALLOW_PRIVATE: 'true', DELIVERY_RETRY_FIRST_SECONDS: '60' },
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

const stateOf = async (streamId: string) => {
  const { rows } = await auth.database.sql.query<{ id: string; state: string; error: string | null }>(
    `SELECT id, state, last_error AS error FROM auth.deliveries WHERE receiver_id = $1 ORDER BY position`,
    [streamId],
  );
  return rows;
};

const given = { state: 'dead', error: 'The stream no longer requests this event.' };
const narrow = (id: string, events: readonly string[]) =>
  app.ask('PATCH', 'stream', { stream_id: id, events_requested: events });

describe('messages that the stream no longer requests (SSF 1.0 §8.1.1, events_delivered)', () => {
  test('An event that is no longer requested is not pushed, even when replayed, until it is requested again.', async () => {
    const both = [eventType.accountDisabled, eventType.scimDeactivate];
    const { stream_id: id } = await app.push(customer.url('/narrowed'), { events_requested: both });
    await app.setStatus(id, 'paused');
    await happen(auth, { type: 'user.deactivated' });
    await narrow(id, [eventType.scimDeactivate]);
    await app.setStatus(id, 'enabled');
    await eventually(async () => (await stateOf(id)).every(({ state }) => state !== 'pending'));
    expect(await stateOf(id)).toMatchObject([given, { state: 'delivered' }]);
    const notified = async () =>
      (await Promise.all(customer.at('/narrowed').map(({ body }) => verified(app, body)))).map(
        (token) => eventOf(token)[0],
      );
    expect(await notified()).toEqual([eventType.scimDeactivate]);
    await auth.database.sql.query(`UPDATE auth.deliveries SET state = 'pending', finished_at = NULL,
      due_at = now() WHERE state = 'dead'`);
    await eventually(async () => (await stateOf(id))[0]?.state === 'dead');
    await narrow(id, both);
    await auth.database.sql.query(`UPDATE auth.deliveries SET state = 'pending', finished_at = NULL,
      due_at = now() WHERE state = 'dead'`);
    await eventually(async () => customer.at('/narrowed').length === 2);
    expect(await notified()).toEqual([eventType.scimDeactivate, eventType.accountDisabled]);
  });

  test('An event that is no longer requested is not returned by a poll, regardless of the number of waiting ones.', async () => {
    const { stream_id: id } = await app.stream({
      events_requested: [eventType.accountEnabled, eventType.accountPurged],
    });
    for (let n = 0; n < 3; n += 1) await happen(auth, { type: 'user.reactivated' });
    await happen(auth, { type: 'user.deleted' });
    await narrow(id, [eventType.accountPurged]);
    const [token, ...others] = await app.events(id, { maxEvents: 2 });
    expect([eventOf(token)[0], others]).toEqual([eventType.accountPurged, []]);
    expect(await stateOf(id)).toMatchObject([given, given, given, { state: 'pending' }]);
  });
});

test('A verification does not wait for an earlier one that failed (SSF 1.0 §8.1.4).', async () => {
  const { stream_id: id } = await app.push(customer.url('/verified'));
  const verify = async (state: string) => {
    await auth.database.sql.query('UPDATE auth.receivers SET verified_at = NULL');
    expect((await app.ask('POST', 'verification', { stream_id: id, state })).status).toBe(204);
  };
  customer.answer = (_, response) => void response.writeHead(503).end();
  await verify('while it is down');
  await eventually(async () => customer.at('/verified').length === 1);
  customer.answer = (_, response) => void response.writeHead(202).end();
  await verify('and up again');
  await eventually(async () => customer.at('/verified').length === 2);
  const again = await verified(app, customer.at('/verified')[1]?.body ?? '');
  expect(eventOf(again)[1]).toEqual({ state: 'and up again' });
});

test('A busy receiver may set the time of the retry, also as a date (RFC 9110 §10.2.3).', async () => {
  const busy = new Date(Date.now() + 3_600_000);
  customer.answer = (_, response) =>
    void response.writeHead(503, { 'retry-after': busy.toUTCString() }).end();
  const { stream_id: id } = await app.push(customer.url('/busy'), {
    events_requested: [eventType.accountEnabled],
  });
  await happen(auth, { type: 'user.reactivated' });
  await eventually(async () => (await stateOf(id))[0]?.error != null);
  const { rows } = await auth.database.sql.query<{ due: Date }>(
    'SELECT due_at AS due FROM auth.deliveries WHERE receiver_id = $1',
    [id],
  );
  expect(Math.abs((rows[0]?.due.getTime() ?? 0) - busy.getTime())).toBeLessThan(5_000);
});

describe('a client that is no longer registered for the scopes', () => {
  test.each(['demo', 'rival'])(
    'A client that is no longer registered for the scopes gets no pushes until it is registered for them again (%s).',
    async (tenant) => {
      app = await receiver(auth, { tenant });
      const { stream_id: id } = await app.push(customer.url(`/unscoped/${tenant}`), {
        events_requested: [eventType.accountEnabled],
      });
      const registered = (scope: string) =>
        auth.deps.clientRegistry.update(tenant, app.clientId, (current) => ({ ...current, scope }));
      await registered('users:read');
      await happen(auth, { type: 'user.reactivated' }, tenant);
      await eventually(async () => (await stateOf(id))[0]?.error != null);
      expect(await stateOf(id)).toMatchObject([
        { state: 'pending', error: 'The client of the stream lacks the scope to receive events.' },
      ]);
      expect(customer.at(`/unscoped/${tenant}`)).toEqual([]);
      await registered('ssf.read');
      await auth.database.sql.query('UPDATE auth.deliveries SET due_at = now()');
      await eventually(async () => customer.at(`/unscoped/${tenant}`).length === 1);
    },
  );
});
