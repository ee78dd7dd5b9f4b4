import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { eventType } from '../../../src/signals/domain/event-types.ts';
import type { RunningAuth } from '../../support/running-auth.ts';
import { type Asking, codesOf, startAsking } from '../../support/sign-in/asking.ts';
import { rival as rivalTenant } from '../../support/sign-in/service.ts';
import { TestReceiver } from '../deliveries/receiving.ts';
import { eventOf, happen, type Receiver, receiver, verified } from './receiving.ts';
import { runningAs } from './running-as.ts';

let asking: Asking;
let auth: RunningAuth;
let customer: TestReceiver;
let admin: string;
let reader: string;
let rival: string;
let app: Receiver;

beforeAll(async () => {
  asking = await startAsking({ OUTGOING_ALLOW_PRIVATE: 'true', DELIVERY_RETRY_FIRST_SECONDS: '1' });
  auth = runningAs(asking.service);
  customer = await new TestReceiver().start();
  customer.answer = (_, response) => void response.writeHead(202).end();
  admin = await asking.machine('webhooks:read webhooks:write clients:read');
  reader = await asking.machine('webhooks:read');
  rival = await asking.machine('webhooks:read webhooks:write', rivalTenant);
  app = await receiver(auth);
});

afterAll(async () => {
  customer?.stop();
  await asking?.service.stop();
});

const list = `query($first: Int, $after: String) { signalStreams(first: $first, after: $after) {
  totalCount pageInfo { hasNextPage endCursor } edges { node { id } } } }`;
const one = `query($id: ID!) { signalStream(id: $id) {
  id client { id } description delivery endpoint events status statusReason failingSince createdAt } }`;
const update = `mutation($input: UpdateSignalStreamInput!) { updateSignalStream(input: $input) {
  signalStream { id status statusReason } problems { code } } }`;
const remove = `mutation($input: DeleteSignalStreamInput!) { deleteSignalStream(input: $input) { id problems { code } } }`;

describe('administrators of streams', () => {
  test('Administrators list the streams that apps created, page by page, without secrets.', async () => {
    const pushed = await app.push(customer.url('/seen'), {
      description: 'Payroll',
      events_requested: [eventType.accountDisabled],
    });
    const polled = await app.stream();
    const seen = await asking.ask(one, { id: pushed.stream_id }, admin);
    expect(seen.errors).toBeUndefined();
    expect(seen.data.signalStream).toEqual({
      id: pushed.stream_id,
      client: { id: app.clientId },
      description: 'Payroll',
      delivery: 'PUSH',
      endpoint: customer.url('/seen'),
      events: [eventType.accountDisabled],
      status: 'ENABLED',
      statusReason: null,
      failingSince: null,
      createdAt: expect.any(String),
    });
    expect(JSON.stringify(seen)).not.toContain('its-own');
    const first = (await asking.ask(list, { first: 1 }, reader)).data.signalStreams;
    expect([first.totalCount, first.pageInfo.hasNextPage]).toEqual([2, true]);
    const second = await asking.ask(list, { first: 1, after: first.pageInfo.endCursor }, reader);
    expect([...first.edges, ...second.data.signalStreams.edges].map(({ node }) => node.id)).toEqual([
      pushed.stream_id,
      polled.stream_id,
    ]);
    for (const id of [pushed.stream_id, polled.stream_id]) await asking.ask(remove, { input: { id } }, admin);
  });

  test('Administrators pause a stream, of which its receiver is notified before it stops, and resume it.', async () => {
    const { stream_id: id } = await app.push(customer.url('/paused'), {
      events_requested: [eventType.accountEnabled],
    });
    const paused = await asking.ask(update, { input: { id, status: 'PAUSED', reason: 'Complaints' } }, admin);
    expect(paused.data.updateSignalStream).toEqual({
      signalStream: { id, status: 'PAUSED', statusReason: 'Complaints' },
      problems: [],
    });
    await happen(auth, { type: 'user.reactivated' });
    const notified = () => Promise.all(customer.at('/paused').map(({ body }) => verified(app, body)));
    await eventually(async () => customer.at('/paused').length === 1);
    expect((await notified()).map(eventOf)).toEqual([
      [expect.stringContaining('stream-updated'), { status: 'paused', reason: 'Complaints' }],
    ]);
    expect((await app.ask('GET', `status?stream_id=${id}`)).body).toMatchObject({ status: 'paused' });
    await asking.ask(update, { input: { id, status: 'ENABLED' } }, admin);
    await eventually(async () => customer.at('/paused').length === 3);
    expect((await notified()).slice(1).map((token) => eventOf(token)[0])).toEqual(
      expect.arrayContaining([expect.stringContaining('stream-updated'), eventType.accountEnabled]),
    );
    await asking.ask(remove, { input: { id } }, admin);
  });

  test('Administrators find undelivered events of a stream among the dead letters, and replay them with the same jti.', async () => {
    customer.answer = (_, response) =>
      void response.writeHead(400).end(JSON.stringify({ err: 'invalid_request', description: 'Broken' }));
    const { stream_id: id } = await app.push(customer.url('/dead'), {
      events_requested: [eventType.accountEnabled],
    });
    const user = await happen(auth, { type: 'user.reactivated' });
    const dead = `query($id: ID!) { deliveries(filter: { receiverId: $id, state: DEAD }) {
      edges { node { id receiverKind type subjectId lastStatus lastError } } } }`;
    const edges = async () => (await asking.ask(dead, { id }, admin)).data.deliveries.edges;
    await eventually(async () => (await edges()).length === 1);
    const [{ node }] = await edges();
    expect(node).toMatchObject({
      receiverKind: 'SSF',
      type: 'user.reactivated',
      subjectId: user,
      lastStatus: 400,
      lastError: 'invalid_request: Broken',
    });
    customer.answer = (_, response) => void response.writeHead(202).end();
    const replay = 'mutation($input: DeliveryInput!) { replayDelivery(input: $input) { problems { code } } }';
    await asking.ask(replay, { input: { id: node.id } }, admin);
    await eventually(async () => customer.at('/dead').length === 2);
    const [first, again] = await Promise.all(customer.at('/dead').map(({ body }) => verified(app, body)));
    expect(again).toEqual(first);
    expect(again?.jti).toBe(node.id);
    await asking.ask(remove, { input: { id } }, admin);
  });

  test('Administrators remove a stream.', async () => {
    const { stream_id: id } = await app.stream();
    const removed = await asking.ask(remove, { input: { id } }, admin);
    expect(removed.data.deleteSignalStream).toEqual({ id, problems: [] });
    expect((await app.poll(id)).status).toBe(404);
    expect((await asking.ask(remove, { input: { id } }, admin)).data.deleteSignalStream.problems).toEqual([
      { code: 'NOT_FOUND' },
    ]);
  });

  test('Administrators of another tenant read and change nothing, as if the stream did not exist.', async () => {
    const { stream_id: id } = await app.stream();
    for (const missing of [id, '0195f3a0-0000-7000-8000-000000000001', 'x']) {
      expect((await asking.ask(one, { id: missing }, rival)).data.signalStream).toBeNull();
      const input = { id: missing, status: 'DISABLED' };
      expect((await asking.ask(update, { input }, rival)).data.updateSignalStream.problems).toEqual([
        { code: 'NOT_FOUND' },
      ]);
      expect(
        (await asking.ask(remove, { input: { id: missing } }, rival)).data.deleteSignalStream.id,
      ).toBeNull();
    }
    expect((await asking.ask(list, {}, rival)).data.signalStreams.totalCount).toBe(0);
    expect((await app.ask('GET', `status?stream_id=${id}`)).body).toMatchObject({ status: 'enabled' });
  });

  test('Administrators need the scopes: reading permits no changes, and the scopes of a receiver permit nothing here.', async () => {
    const { stream_id: id } = await app.stream();
    const input = { id, status: 'PAUSED' };
    expect(codesOf(await asking.ask(update, { input }, reader))).toEqual(['FORBIDDEN']);
    expect(codesOf(await asking.ask(remove, { input: { id } }, reader))).toEqual(['FORBIDDEN']);
    expect(codesOf(await asking.ask(list, {}, app.token))).toEqual(['FORBIDDEN']);
    expect(codesOf(await asking.ask(update, { input }, app.token))).toEqual(['FORBIDDEN']);
  });

  test('A reason that an administrator gives must be short.', async () => {
    const { stream_id: id } = await app.stream();
    const input = { id, status: 'PAUSED', reason: 'x'.repeat(501) };
    expect(codesOf(await asking.ask(update, { input }, admin)) ?? []).not.toEqual(['INTERNAL_SERVER_ERROR']);
    expect((await app.ask('GET', `status?stream_id=${id}`)).body).toMatchObject({ status: 'enabled' });
  });
});
