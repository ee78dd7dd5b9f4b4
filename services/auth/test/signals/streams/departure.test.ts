import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import type { JWTPayload } from 'jose';
import { eventType } from '../../../src/signals/domain/event-types.ts';
import { numbered, signedIn } from '../../support/sign-in/departing.ts';
import { service, setUpOneClient } from '../../support/sign-in/one-client.ts';
import { rival as rivalTenant, tenant } from '../../support/sign-in/service.ts';
import { eventOf, type Receiver, receiver } from './receiving.ts';
import { runningAs } from './running-as.ts';

setUpOneClient();

let app: Receiver;
let rival: Receiver;
let stream: string;
let theirs: string;

beforeAll(async () => {
  const auth = runningAs(service);
  app = await receiver(auth);
  stream = (await app.stream()).stream_id;
  rival = await receiver(auth, { tenant: rivalTenant });
  theirs = (await rival.stream()).stream_id;
});

const all: JWTPayload[] = [];

/** Returns the events about a user so far, oldest first, and acknowledges received ones. */
async function received(id: string): Promise<JWTPayload[]> {
  const events = await app.events(stream);
  all.push(...events);
  await app.poll(stream, { maxEvents: 0, ack: events.map(({ jti }) => jti) });
  return all.filter(({ sub_id }) => JSON.stringify(sub_id).includes(id));
}

/** Signs a user in and skips the event of their new password. */
async function arrived(userName: string) {
  const { person, browser } = await signedIn(userName);
  await received(person.id);
  all.length = 0;
  return { person, browser };
}

async function receivedAtLast(id: string, uris: readonly string[]): Promise<JWTPayload[]> {
  await eventually(async () => (await received(id)).length >= uris.length);
  // Gives a duplicate time to arrive.
  await new Promise((resolve) => setTimeout(resolve, 300));
  const events = await received(id);
  expect(events.map((token) => eventOf(token)[0])).toEqual(uris);
  return events;
}

test('An offboarding is reported once: account disabled, all sessions revoked, resource deactivated, with one txn.', async () => {
  const { person } = await arrived('alice');
  await service.directory.change(tenant, person.id, 'user.deactivated');
  const events = await receivedAtLast(person.id, [
    eventType.accountDisabled,
    eventType.scimDeactivate,
    eventType.sessionRevoked,
  ]);
  expect(events[2]).toMatchObject({ sub_id: { format: 'iss_sub', iss: app.issuer, sub: person.id } });
  expect(eventOf(events[2])[1]).toMatchObject({
    initiating_entity: expect.stringMatching(/^(admin|user|policy|system)$/),
    reason_admin: { en: 'departure' },
  });
  expect(new Set(events.map(({ txn }) => txn)).size).toBe(1);
});

test('A directory event that arrives twice is sent once.', async () => {
  const { person } = await arrived('bob');
  const event = numbered(service.directory.changed(tenant, person.id, 'user.deactivated'));
  await service.directory.send([event]);
  await receivedAtLast(person.id, [
    eventType.accountDisabled,
    eventType.scimDeactivate,
    eventType.sessionRevoked,
  ]);
  const { sql } = service.deps.database;
  // Simulates the relay, which repeats unconfirmed events.
  await sql.query(
    `UPDATE directory.outbox_deliveries SET state = 'pending', generation = generation + 1 WHERE event_id = $1`,
    [event.id],
  );
  await eventually(async () => {
    const { rowCount } = await sql.query(
      `SELECT FROM directory.outbox_deliveries WHERE event_id = $1 AND state = 'pending'`,
      [event.id],
    );
    return rowCount === 0;
  });
  await receivedAtLast(person.id, [
    eventType.accountDisabled,
    eventType.scimDeactivate,
    eventType.sessionRevoked,
  ]);
});

test('A reactivation is sent after the offboarding, regardless of the order in which the events arrive.', async () => {
  const { person } = await arrived('carol');
  const left = service.directory.changed(tenant, person.id, 'user.deactivated');
  const back = service.directory.changed(tenant, person.id, 'user.reactivated');
  await service.directory.send([back]);
  await service.directory.send([left]);
  await eventually(async () => (await received(person.id)).length >= 5);
  const uris = (await received(person.id)).map((token) => eventOf(token)[0]);
  // The end of sessions is reported when they end, which the reactivation event triggers here.
  expect(uris.filter((uri) => uri !== eventType.sessionRevoked)).toEqual([
    eventType.accountDisabled,
    eventType.scimDeactivate,
    eventType.accountEnabled,
    eventType.scimActivate,
  ]);
  expect(uris.filter((uri) => uri === eventType.sessionRevoked)).toHaveLength(1);
});

test('A replayed reactivation gives no access to a user who was offboarded since.', async () => {
  const { person } = await arrived('dora');
  const { directory } = service;
  await directory.change(tenant, person.id, 'user.deactivated');
  const left = [eventType.accountDisabled, eventType.scimDeactivate, eventType.sessionRevoked];
  await receivedAtLast(person.id, left);
  await directory.change(tenant, person.id, 'user.reactivated');
  const events = await receivedAtLast(person.id, [...left, eventType.accountEnabled, eventType.scimActivate]);
  const id = events.at(-2)?.jti as string;
  const again = async () => {
    await service.deps.deliveries.replay(tenant, id);
    return (await app.events(stream)).map((token) => eventOf(token)[0]);
  };
  expect(await again()).toEqual([eventType.accountEnabled]);
  await received(person.id);
  await directory.change(tenant, person.id, 'user.deactivated');
  await eventually(async () => (await service.deps.subjects.find(tenant, person.id))?.active === false);
  await received(person.id);
  expect(await again()).toEqual([]);
});

test('A user who is deleted permanently is reported as purged.', async () => {
  const { person } = await arrived('dave');
  await service.directory.change(tenant, person.id, 'user.deleted');
  await receivedAtLast(person.id, [eventType.accountPurged, eventType.scimDelete, eventType.sessionRevoked]);
});

test('A single session that a user ends is reported as that session.', async () => {
  const { person, browser } = await arrived('erin');
  const { rows } = await service.deps.database.sql.query<{ id: string }>(
    'SELECT id FROM auth.sessions WHERE tenant = $1 AND subject_id = $2',
    [tenant, person.id],
  );
  const session = rows[0]?.id ?? '';
  await service.deps.sessions.revoke(tenant, session);
  const [token] = await receivedAtLast(person.id, [eventType.sessionRevoked]);
  expect(token?.sub_id).toMatchObject({ format: 'complex', session: { format: 'opaque', id: session } });
  expect(browser).toBeDefined();
});

test('The rival tenant is not notified of these events.', async () => {
  expect(await rival.events(theirs)).toEqual([]);
});
