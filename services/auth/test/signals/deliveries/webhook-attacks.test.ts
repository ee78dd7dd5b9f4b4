import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { redeem, signInAndAllow, tenant } from '../../support/sign-in/service.ts';
import { pushMethod, receiver } from '../streams/receiving.ts';
import { runningAs } from '../streams/running-as.ts';
import { startWebhooking, type Webhooking } from './webhooking.ts';

let w: Webhooking;
beforeAll(async () => {
  w = await startWebhooking();
});
afterAll(() => w.stop());

const mutate = (name: string, type: string, input: object, by: string) =>
  w.ask(`mutation($input: ${type}!) { ${name}(input: $input) { problems { code } } }`, { input }, by);
const update = (input: object, by: string) => mutate('updateWebhook', 'UpdateWebhookInput', input, by);

describe('callers without permission to read users', () => {
  const deliveries = async (id: string) =>
    (
      await w.sql.query<{ id: string; state: string; error: string | null }>(
        'SELECT id, state, last_error AS error FROM auth.deliveries WHERE receiver_id = $1 ORDER BY position',
        [id],
      )
    ).rows;

  test('A caller who may not read users gets no waiting messages by changing the types and then the endpoint of a webhook.', async () => {
    const person = await w.person('waits');
    const { id } = await w.webhook('/paused');
    const thief = await w.machine('webhooks:read webhooks:write sessions:read');
    await update({ id, status: 'PAUSED' }, w.admin);
    await w.change(person.id);
    await eventually(async () => (await deliveries(id)).length === 1);
    await update({ id, types: ['SESSION_REVOKED'] }, thief);
    await update({ id, endpoint: w.receiver.url('/thief'), status: 'ENABLED' }, thief);
    await eventually(async () => (await deliveries(id))[0]?.state !== 'pending');
    expect(w.receiver.at('/thief')).toEqual([]);
    expect(await deliveries(id)).toMatchObject([
      { state: 'dead', error: 'The webhook is no longer subscribed to this event type.' },
    ]);
  });

  test('A caller who may not read users gets no delivered messages by replaying them.', async () => {
    const person = await w.person('arrived');
    const { id } = await w.webhook('/arrived');
    const thief = await w.machine('webhooks:read webhooks:write sessions:read');
    await w.change(person.id);
    await w.arrived('/arrived');
    await eventually(async () => (await deliveries(id))[0]?.state === 'delivered');
    await update({ id, types: ['SESSION_REVOKED'] }, thief);
    await update({ id, endpoint: w.receiver.url('/again') }, thief);
    const [delivery] = await deliveries(id);
    await mutate('replayDelivery', 'DeliveryInput', { id: delivery?.id }, thief);
    await eventually(async () => (await deliveries(id))[0]?.state === 'dead');
    await mutate('replayDeadDeliveries', 'ReplayDeadDeliveriesInput', { receiverId: id }, thief);
    await eventually(async () => (await deliveries(id))[0]?.state === 'dead');
    expect(w.receiver.at('/again')).toEqual([]);
    // For a webhook of an administrator who may read users, the delivery is replayed.
    await update({ id, types: ['USER_UPDATED'] }, w.admin);
    await mutate('replayDelivery', 'DeliveryInput', { id: delivery?.id }, w.admin);
    await w.arrived('/again');
  });
});

test('Texts that no database can store are rejected as bad input, or match no object.', async () => {
  const { id } = await w.webhook('/odd');
  const app = await receiver(runningAs(w.service));
  const { stream_id: stream } = await app.stream();
  for (const odd of ['a\u0000b', 'a\ud800b']) {
    const asked = [
      w.ask(
        'query($id: ID!) { webhook(id: $id) { id } delivery(id: $id) { id } signalStream(id: $id) { id } }',
        { id: odd },
        w.admin,
      ),
      w.ask(
        'query($id: ID!) { deliveries(filter: { receiverId: $id }) { totalCount edges { node { id } } } }',
        { id: odd },
        w.admin,
      ),
      w.ask(
        'query($id: ID!) { deliveries(filter: { subjectId: $id }) { totalCount edges { node { id } } } }',
        { id: odd },
        w.admin,
      ),
      w.ask('query($id: ID!) { departures(userId: $id) { securityEventId } }', { id: odd }, w.admin),
      mutate('replayDeadDeliveries', 'ReplayDeadDeliveriesInput', { receiverId: odd }, w.admin),
      mutate(
        'updateSignalStream',
        'UpdateSignalStreamInput',
        { id: stream, status: 'PAUSED', reason: odd },
        w.admin,
      ),
      update({ id, name: odd }, w.admin),
      update({ id, endpoint: `${w.receiver.url()}${odd}` }, w.admin),
    ];
    expect((await Promise.all(asked)).map((answer) => JSON.stringify(answer).includes('INTERNAL'))).toEqual(
      asked.map(() => false),
    );
  }
});

test('The query of a stream or webhook address is masked in logs, because it often contains a key.', async () => {
  const app = await receiver(runningAs(w.service));
  const { stream_id: stream } = await app.push(w.receiver.url('/events?key=a-secret-in-it'));
  await app.ask('PATCH', 'stream', {
    stream_id: stream,
    delivery: { method: pushMethod, endpoint_url: w.receiver.url('/moved?key=a-secret-in-it') },
  });
  const hook = {
    name: 'hook',
    endpoint: w.receiver.url('/hook?key=a-secret-in-it'),
    types: ['USER_UPDATED'],
  };
  const { id } = (await w.create(hook)).data.createWebhook.webhook;
  const { rows } = await w.sql.query<{ changes: unknown }>(
    'SELECT changes FROM auth.security_log WHERE resource_id = ANY($1)',
    [[stream, id]],
  );
  expect(rows).toHaveLength(3);
  expect(JSON.stringify(rows)).toContain('/moved?…');
  expect(JSON.stringify(rows)).not.toContain('a-secret-in-it');
});

test('No notification is sent to an address in a private network, however the address was stored.', async () => {
  const closed = await startWebhooking({
    OUTGOING_ALLOW_PRIVATE: 'false',
    DELIVERY_RETRY_FIRST_SECONDS: '60',
  });
  try {
    const { sql } = closed;
    const client = await closed.service.client({ require_consent: false });
    await sql.query(
      `UPDATE auth.clients SET metadata = metadata || jsonb_build_object('backchannel_logout_uri', $2::text)
        WHERE client_id = $1`,
      [client.clientId, closed.receiver.url('/logout')],
    );
    // Lifetime of the client cache in this process.
    const known = sleep(1_100);
    const person = await closed.service.person('private');
    const hook = await closed.webhook('/webhook', ['USER_DEACTIVATED'], {
      endpoint: 'https://receiver.example/',
    });
    const app = await receiver(runningAs(closed.service));
    const { stream_id: stream } = await app.push('https://receiver.example/');
    for (const [id, path] of [
      [hook.id, '/webhook'],
      [stream, '/stream'],
    ] as const) {
      await sql.query('UPDATE auth.receivers SET endpoint = $2 WHERE id = $1', [
        id,
        closed.receiver.url(path),
      ]);
    }
    await known;
    await redeem(closed.service, client, await signInAndAllow(closed.service.browser(), client, 'private'));
    await closed.service.directory.change(tenant, person.id, 'user.deactivated');
    const attempted = async () =>
      (
        await sql.query<{ id: string; error: string }>(
          `SELECT receiver_id AS id, last_error AS error FROM auth.deliveries
            WHERE attempts > 0 AND leased_until IS NULL ORDER BY position`,
        )
      ).rows;
    const notified = [hook.id, stream, client.clientId];
    await eventually(async () => {
      const ids = new Set((await attempted()).map(({ id }) => id));
      return notified.every((id) => ids.has(id));
    });
    expect(new Set((await attempted()).map(({ error }) => error))).toEqual(
      new Set(['The address is not public.']),
    );
    expect(closed.receiver.received).toEqual([]);
  } finally {
    await closed.stop();
  }
});
