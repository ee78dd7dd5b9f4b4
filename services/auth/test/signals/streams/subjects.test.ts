import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventType } from '../../../src/signals/domain/event-types.ts';
import type { RunningAuth } from '../../support/running-auth.ts';
import {
  rival as rivalTenant,
  startTestService,
  type TestService,
  tenant,
} from '../../support/sign-in/service.ts';
import { eventOf, happen, type Receiver, receiver } from './receiving.ts';
import { runningAs } from './running-as.ts';

let service: TestService;
/** The test service, adapted to the helpers for receivers. */
let auth: RunningAuth;
let app: Receiver;
let id: string;

beforeAll(async () => {
  service = await startTestService();
  auth = runningAs(service);
});

afterAll(() => service?.stop());

beforeEach(async () => {
  app = await receiver(auth);
  id = (await app.stream({ events_requested: [eventType.accountEnabled, eventType.scimPatch] })).stream_id;
});

const change = (action: 'add' | 'remove', subject: unknown) =>
  app.ask('POST', `subjects/${action}`, { stream_id: id, subject });

/** Reports whether the stream gets an event about this user. */
async function received(userId: string): Promise<boolean> {
  await happen(auth, { type: 'user.reactivated', subject: { kind: 'user', id: userId } });
  const { sets } = (await app.poll(id)).body;
  const events = await app.events(id);
  await app.poll(id, { ack: Object.keys(sets) });
  return events.some((token) => (token.sub_id as { sub?: string }).sub === userId);
}

describe('subjects of a stream (SSF 1.0 §8.1.3), all included unless removed', () => {
  const ways: [string, (person: { id: string; userName: string }) => unknown][] = [
    ['issuer and id', (person) => ({ format: 'iss_sub', iss: app.issuer, sub: person.id })],
    ['id', (person) => ({ format: 'opaque', id: person.id })],
    ['address', (person) => ({ format: 'email', email: `${person.userName}@example.com` })],
    ['SCIM path', (person) => ({ format: 'scim', uri: `/Users/${person.id}` })],
    ['a complex subject', (person) => ({ format: 'complex', user: { format: 'opaque', id: person.id } })],
  ];

  test.each(ways)('A user is removed by %s, and added again.', async (way, subjectOf) => {
    const person = await service.person(`who${ways.findIndex(([name]) => name === way)}`);
    expect(await received(person.id)).toBe(true);
    const removed = await change('remove', subjectOf(person));
    expect([removed.status, removed.body, removed.headers.get('cache-control')]).toEqual([
      204,
      undefined,
      'no-store',
    ]);
    expect(await received(person.id)).toBe(false);
    const added = await change('add', subjectOf(person));
    expect([added.status, added.body]).toEqual([200, undefined]);
    expect(await received(person.id)).toBe(true);
  });

  test('The removal of a user affects no other user and no other stream.', async () => {
    const [one, other] = [await service.person('one'), await service.person('other')];
    const beside = (await app.stream({ events_requested: [eventType.accountEnabled] })).stream_id;
    await change('remove', { format: 'opaque', id: one.id });
    expect([await received(one.id), await received(other.id)]).toEqual([false, true]);
    expect(await app.events(beside)).toHaveLength(2);
  });

  test('A group is removed by its SCIM path.', async () => {
    const group = crypto.randomUUID();
    const renamed = () =>
      happen(auth, {
        type: 'group.updated',
        subject: { kind: 'group', id: group },
        data: { changedAttributes: ['displayName'] },
      });
    await renamed();
    expect((await app.events(id)).map((token) => eventOf(token)[0])).toEqual([eventType.scimPatch]);
    await change('remove', { format: 'scim', uri: `/Groups/${group}` });
    await renamed();
    expect(await app.events(id)).toHaveLength(1);
  });

  test('Unknown and known users get the same response, so that it does not disclose whether the user exists (§9.1).', async () => {
    const strangers = [
      { format: 'email', email: 'nobody@example.com' },
      { format: 'email', email: 'not an address' },
      { format: 'opaque', id: crypto.randomUUID() },
      { format: 'iss_sub', iss: 'https://other.example', sub: 'x' },
    ];
    for (const subject of strangers) {
      expect([(await change('add', subject)).status, (await change('remove', subject)).status]).toEqual([
        200, 204,
      ]);
    }
  });

  test('An address of a user in another tenant removes no user here.', async () => {
    const theirs = await service.person('namesake', { tenant: rivalTenant });
    await change('remove', { format: 'email', email: 'namesake@example.com' });
    await change('remove', { format: 'opaque', id: theirs.id });
    const rival = await receiver(auth, { tenant: rivalTenant });
    const stream = await rival.stream({ events_requested: [eventType.accountEnabled] });
    await happen(auth, { type: 'user.reactivated', subject: { kind: 'user', id: theirs.id } }, rivalTenant);
    expect(await rival.events(stream.stream_id)).toHaveLength(1);
  });

  test('Many parallel removals of the same user have the effect of one.', async () => {
    const person = await service.person('often');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => change('remove', { format: 'opaque', id: person.id })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    await change('add', { format: 'opaque', id: person.id });
    expect(await received(person.id)).toBe(true);
  });

  test('The number of subjects that can be removed is limited (403).', async () => {
    await auth.database.sql.query(
      `INSERT INTO auth.receiver_exclusions (tenant, receiver_id, subject_kind, subject_id)
       SELECT $1, $2::uuid, 'user', gen_random_uuid()::text FROM generate_series(1, 10000)`,
      [tenant, id],
    );
    expect((await change('remove', { format: 'opaque', id: crypto.randomUUID() })).status).toBe(403);
  });
});

describe('verification (SSF 1.0 §8.1.4)', () => {
  const verify = (fields: Record<string, unknown> = {}) =>
    app.ask('POST', 'verification', { stream_id: id, ...fields });

  test('A verification sends an event with the requested state, about the stream itself (SSF 1.0 §8.1.4).', async () => {
    const asked = await verify({ state: 'VGhpcyBpcyBhbiBleGFtcGxlIHN0YXRlIHZhbHVlLgo=' });
    expect([asked.status, asked.body]).toEqual([204, undefined]);
    const [token, ...others] = await app.events(id);
    expect(others).toEqual([]);
    expect(token?.sub_id).toEqual({ format: 'opaque', id });
    expect(eventOf(token)).toEqual([
      'https://schemas.openid.net/secevent/ssf/event-type/verification',
      { state: 'VGhpcyBpcyBhbiBleGFtcGxlIHN0YXRlIHZhbHVlLgo=' },
    ]);
  });

  test('A verification without a state has none, and a stream without events can be verified too.', async () => {
    id = (await app.stream({ events_requested: [] })).stream_id;
    await verify();
    expect((await app.events(id)).map(eventOf)).toEqual([[expect.stringContaining('verification'), {}]]);
  });

  test('A verification more often than min_verification_interval is rejected (429), also in parallel.', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => verify()));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 429, 429, 429, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await app.events(id)).toHaveLength(1);
    await auth.database.sql.query(
      `UPDATE auth.receivers SET verified_at = now() - interval '10 seconds' WHERE id = $1::uuid`,
      [id],
    );
    expect((await verify()).status).toBe(204);
  });

  test('A verification waits while the stream is paused, and is dropped while it is disabled.', async () => {
    await app.setStatus(id, 'paused');
    await verify({ state: 'later' });
    expect(await app.events(id)).toEqual([]);
    await app.setStatus(id, 'enabled');
    expect(eventOf((await app.events(id))[0])[1]).toEqual({ state: 'later' });
    const other = (await app.stream()).stream_id;
    await app.setStatus(other, 'disabled');
    expect((await verify({ stream_id: other })).status).toBe(204);
    await app.setStatus(other, 'enabled');
    expect(await app.events(other)).toEqual([]);
  });
});

describe('an administrator who stops a stream', () => {
  const decide = (status: 'enabled' | 'paused' | 'disabled', reason?: string) =>
    auth.deps.signalStreams.decideStatus(tenant, id, { status, reason });
  const updates = async () => (await app.events(id)).map(eventOf);
  const updated = 'https://schemas.openid.net/secevent/ssf/event-type/stream-updated';

  test.each(['paused', 'disabled'] as const)(
    'The receiver of a stream is notified that an administrator %s it, and of nothing else until it is resumed.',
    async (status) => {
      await decide(status, 'Too many complaints');
      await happen(auth, { type: 'user.reactivated' });
      expect(await updates()).toEqual([[updated, { status, reason: 'Too many complaints' }]]);
      expect((await app.ask('GET', `status?stream_id=${id}`)).body).toMatchObject({ status });
      await decide('enabled');
      const [, ...after] = await updates();
      const goesOn = [updated, { status: 'enabled' }];
      expect(after).toEqual(
        status === 'paused' ? expect.arrayContaining([goesOn, [eventType.accountEnabled, {}]]) : [goesOn],
      );
    },
  );

  test.each(['paused', 'disabled'] as const)(
    'A stream that an administrator %s is resumed only by an administrator, despite requests and changes of its receiver.',
    async (status) => {
      await decide(status, 'Too many complaints');
      await app.ask('PATCH', 'stream', { stream_id: id, description: 'Another one' });
      expect(await app.setStatus(id, 'enabled')).toMatchObject({
        status: 403,
        body: { error: 'access_denied' },
      });
      const stopped = { stream_id: id, status, reason: 'Too many complaints' };
      expect((await app.setStatus(id, status, 'Our own')).body).toEqual(stopped);
      expect((await app.ask('GET', `status?stream_id=${id}`)).body).toEqual(stopped);
      // The receiver may also disable it, but this does not permit it to resume the stream.
      expect((await app.setStatus(id, 'disabled')).status).toBe(200);
      expect((await app.setStatus(id, 'paused')).status).toBe(403);
      await decide('enabled');
      for (const own of ['paused', 'disabled', 'enabled']) {
        expect((await app.setStatus(id, own)).status).toBe(200);
      }
    },
  );

  test('An administrator causes no notification when nothing changes, and cannot stop the streams of another tenant.', async () => {
    await decide('enabled');
    expect(await updates()).toEqual([]);
    const other = auth.deps.signalStreams;
    expect(
      await other.decideStatus(rivalTenant, id, { status: 'paused', reason: undefined }),
    ).toBeUndefined();
    expect(await other.remove(rivalTenant, id)).toBe(false);
  });
});
