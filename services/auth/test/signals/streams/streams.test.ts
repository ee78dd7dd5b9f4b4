import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventsSupported } from '../../../src/signals/domain/event-types.ts';
import { type Backend, createBackend, type RunningAuth, startAuth } from '../../support/running-auth.ts';
import { pollMethod, pushMethod, type Receiver, receiver } from './receiving.ts';

let backend: Backend;
let auth: RunningAuth;
let app: Receiver;
/** A receiver of the same tenant, and one of another tenant. */
let other: Receiver;
let rival: Receiver;

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend, { env: { OUTGOING_ALLOW_PRIVATE: 'true' } });
  app = await receiver(auth);
  other = await receiver(auth);
  rival = await receiver(auth, { tenant: 'rival' });
});

afterAll(async () => {
  await auth?.stop();
  await backend?.drop();
});

const requested = [eventsSupported[0], 'urn:example:unknown'];
const push = { method: pushMethod, endpoint_url: 'https://receiver.example.com/events' };

describe('the configuration endpoint (SSF 1.0 §8.1.1)', () => {
  test('The configuration endpoint creates a stream with poll delivery by default.', async () => {
    const { status, headers, body } = await app.ask('POST', 'stream', { events_requested: requested });
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(body).toEqual({
      stream_id: expect.any(String),
      iss: app.issuer,
      aud: app.clientId,
      delivery: { method: pollMethod, endpoint_url: `${app.issuer}/ssf/poll/${body.stream_id}` },
      events_supported: eventsSupported,
      events_requested: requested,
      events_delivered: [eventsSupported[0]],
      min_verification_interval: 10,
      format: 'iss_sub',
    });
    expect((await app.ask('GET', `stream?stream_id=${body.stream_id}`)).body).toEqual(body);
  });

  test('The configuration endpoint never returns an authorization header, and stores it encrypted.', async () => {
    const stream = await app.stream({ delivery: { ...push, authorization_header: 'Bearer top-secret' } });
    expect(stream.delivery).toEqual(push);
    const read = await app.ask('GET', `stream?stream_id=${stream.stream_id}`);
    expect(JSON.stringify(read.body)).not.toContain('top-secret');
    const { rows } = await auth.database.sql.query<{ row: string; log: string }>(
      `SELECT r::text AS row, (SELECT json_agg(l)::text FROM auth.security_log l WHERE l.resource_id = $1) AS log
       FROM auth.receivers r WHERE id = $1::uuid`,
      [stream.stream_id],
    );
    const hex = Buffer.from('top-secret').toString('hex');
    expect(rows[0]?.row).not.toMatch(new RegExp(`top-secret|${hex}`));
    expect(rows[0]?.log).toContain('signal_stream.created');
    expect(rows[0]?.log).not.toContain('top-secret');
  });

  test('Each change of a stream is in the security log as an action of the app.', async () => {
    const { stream_id: id } = await app.stream({ delivery: push });
    expect((await app.ask('PATCH', 'stream', { stream_id: id, description: 'Payroll' })).status).toBe(200);
    expect((await app.ask('POST', 'status', { stream_id: id, status: 'paused' })).status).toBe(200);
    expect((await app.ask('DELETE', `stream?stream_id=${id}`)).status).toBe(204);
    const { rows } = await auth.database.sql.query<{ action: string; actor: unknown; clientId: string }>(
      `SELECT action, actor, client_id AS "clientId" FROM auth.security_log WHERE resource_id = $1 ORDER BY id`,
      [id],
    );
    const by = { actor: { kind: 'client', id: app.clientId }, clientId: app.clientId };
    expect(rows).toEqual([
      { action: 'signal_stream.created', ...by },
      { action: 'signal_stream.updated', ...by },
      { action: 'signal_stream.updated', ...by },
      { action: 'signal_stream.deleted', ...by },
    ]);
  });

  test('The configuration endpoint lists the streams of the app only, and an empty list when there are none.', async () => {
    const mine = await receiver(auth);
    expect((await mine.ask('GET', 'stream')).body).toEqual([]);
    const [one, two] = [await mine.stream(), await mine.stream({ description: 'B' })];
    expect((await mine.ask('GET', 'stream')).body).toEqual([one, two]);
  });

  test('PATCH changes the members that it contains and keeps the rest.', async () => {
    const stream = await app.stream({ delivery: push, description: 'A' });
    const { status, body } = await app.ask('PATCH', 'stream', {
      stream_id: stream.stream_id,
      iss: app.issuer,
      events_delivered: eventsSupported,
      events_requested: requested,
    });
    expect([status, body]).toEqual([
      200,
      { ...stream, events_requested: requested, events_delivered: [eventsSupported[0]] },
    ]);
  });

  test('PUT replaces all receiver-supplied members: a missing member is removed.', async () => {
    const stream = await app.stream({ delivery: push, description: 'A', format: 'email' });
    const { status, body } = await app.ask('PUT', 'stream', {
      stream_id: stream.stream_id,
      events_requested: requested,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      delivery: { method: pollMethod },
      format: 'iss_sub',
      events_requested: requested,
    });
    expect(body).not.toHaveProperty('description');
  });

  test('DELETE removes a stream, once.', async () => {
    const { stream_id: id } = await app.stream();
    const path = `stream?stream_id=${id}`;
    expect((await app.ask('DELETE', path)).status).toBe(204);
    expect([(await app.ask('DELETE', path)).status, (await app.ask('GET', path)).status]).toEqual([404, 404]);
    expect((await app.poll(id)).status).toBe(404);
  });

  test('An app has ten streams at most, even when it creates them concurrently (409).', async () => {
    const eager = await receiver(auth);
    const answers = await Promise.all(Array.from({ length: 14 }, () => eager.ask('POST', 'stream', {})));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array.from({ length: 10 }, () => 201),
      ...Array.from({ length: 4 }, () => 409),
    ]);
    expect((await eager.ask('GET', 'stream')).body).toHaveLength(10);
  });

  test('Parallel changes of one stream all take effect.', async () => {
    const { stream_id: id } = await app.stream();
    const changes = [{ description: 'X' }, { format: 'email' }, { events_requested: requested }];
    await Promise.all(changes.map((change) => app.ask('PATCH', 'stream', { stream_id: id, ...change })));
    expect((await app.ask('GET', `stream?stream_id=${id}`)).body).toMatchObject({
      description: 'X',
      format: 'email',
      events_requested: requested,
    });
  });
});

describe('400: malformed requests', () => {
  test.each<[string, string, string, unknown]>([
    ['no body', 'POST', 'stream', undefined],
    ['no JSON', 'POST', 'stream', '{'],
    ['a list', 'POST', 'stream', []],
    ['half a text', 'POST', 'stream', '"'],
    ['another audience', 'POST', 'stream', { aud: 'https://receiver.example' }],
    ['another issuer', 'POST', 'stream', { iss: 'https://other.example' }],
    ['plain nonsense as a delivery', 'POST', 'stream', { delivery: { method: 'carrier pigeon' } }],
    ['a change without a stream', 'PATCH', 'stream', { description: 'x' }],
    ['a replacement without a stream', 'PUT', 'stream', {}],
    ['a deletion without a stream', 'DELETE', 'stream', undefined],
    ['two streams at once', 'GET', 'stream?stream_id=a&stream_id=b', undefined],
    ['a status of no stream', 'GET', 'status', undefined],
    ['a status for no stream', 'POST', 'status', { status: 'paused' }],
    ['no subject', 'POST', 'subjects/add', { stream_id: 'STREAM' }],
    ['no stream to add to', 'POST', 'subjects/add', { subject: { format: 'opaque', id: 'x' } }],
    [
      'a doubtful verification',
      'POST',
      'subjects/add',
      { stream_id: 'STREAM', subject: { format: 'opaque', id: 'x' }, verified: 'yes' },
    ],
    ['a subject of no format', 'POST', 'subjects/remove', { stream_id: 'STREAM', subject: { id: 'x' } }],
    ['a verification of no stream', 'POST', 'verification', { state: 'x' }],
    ['a state that is no text', 'POST', 'verification', { stream_id: 'STREAM', state: 7 }],
    ['a poll that is no JSON', 'POST', 'poll/STREAM', 'x'],
    ['a poll for less than nothing', 'POST', 'poll/STREAM', { maxEvents: -1 }],
  ])('A request is rejected with 400 invalid_request: %s.', async (_what, method, path, body) => {
    const id = (await common()).stream_id;
    const text = JSON.stringify(body)?.replaceAll('STREAM', id);
    const said = await app.ask(method, path.replace('STREAM', id), typeof body === 'string' ? body : text);
    expect([said.status, said.body.error]).toEqual([400, 'invalid_request']);
  });

  test('A transmitter-supplied property that differs is rejected, and nothing changes.', async () => {
    const stream = await app.stream({ description: 'A' });
    for (const method of ['PATCH', 'PUT']) {
      const body = { stream_id: stream.stream_id, description: 'B', events_delivered: [] };
      expect((await app.ask(method, 'stream', body)).status).toBe(400);
    }
    expect((await app.ask('GET', `stream?stream_id=${stream.stream_id}`)).body).toEqual(stream);
    await app.ask('DELETE', `stream?stream_id=${stream.stream_id}`);
  });

  test('A body above the maximum size is rejected with 413.', async () => {
    const said = await app.ask('POST', 'stream', { description: 'x'.repeat(70_000) });
    expect(said.status).toBe(413);
  });

  let made: Promise<{ stream_id: string }> | undefined;
  const common = () => {
    made ??= app.stream();
    return made;
  };
});

/** Operations with a valid body and the required access. */
const operations: [string, string, (id: string) => unknown, 'read' | 'manage'][] = [
  ['POST', 'stream', () => ({}), 'manage'],
  ['GET', 'stream?stream_id=STREAM', () => undefined, 'read'],
  ['PATCH', 'stream', (id) => ({ stream_id: id }), 'manage'],
  ['PUT', 'stream', (id) => ({ stream_id: id }), 'manage'],
  ['GET', 'status?stream_id=STREAM', () => undefined, 'read'],
  ['POST', 'status', (id) => ({ stream_id: id, status: 'enabled' }), 'manage'],
  ['POST', 'subjects/add', (id) => ({ stream_id: id, subject: { format: 'opaque', id: 'x' } }), 'manage'],
  ['POST', 'subjects/remove', (id) => ({ stream_id: id, subject: { format: 'opaque', id: 'x' } }), 'manage'],
  ['POST', 'verification', (id) => ({ stream_id: id }), 'manage'],
  ['POST', 'poll/STREAM', () => ({ returnImmediately: true }), 'read'],
  ['DELETE', 'stream?stream_id=STREAM', () => undefined, 'manage'],
];

describe.each(operations)('%s %s', (method, path, body, access) => {
  const ask = (who: Receiver, id: string, headers?: Record<string, string>) =>
    who.ask(method, path.replace('STREAM', id), body(id), headers);
  const needsStream = !(method === 'POST' && path === 'stream');
  const mine = async (): Promise<[Receiver, string]> => {
    const owner = await receiver(auth);
    return [owner, (await owner.stream()).stream_id];
  };

  test('A request without a token, or with an invalid one, is rejected with 401.', async () => {
    const [, id] = await mine();
    const none = await ask(app, id, { authorization: '' });
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining(`realm="${app.issuer}"`),
    ]);
    const bad = await ask(app, id, { authorization: 'Bearer nonsense' });
    expect([bad.status, bad.body.error]).toEqual([401, 'invalid_token']);
  });

  test('A request with a token of another tenant is rejected with 401.', async () => {
    const [, id] = await mine();
    const said = await ask(app, id, { authorization: `Bearer ${rival.token}` });
    expect([said.status, said.body.error]).toEqual([401, 'invalid_token']);
  });

  test('A request without the scope is rejected with 403; ssf.manage includes ssf.read.', async () => {
    const [owner, id] = await mine();
    const weak = await receiver(auth, { scope: access === 'read' ? 'users:read' : 'ssf.read users:read' });
    const said = await ask(weak, id);
    expect([said.status, said.body.error]).toEqual([403, 'insufficient_scope']);
    expect(said.headers.get('www-authenticate')).toContain('ssf.manage');
    expect((await ask(owner, id)).status).toBeLessThan(300);
  });

  test('Streams of another app, of another tenant and unknown ones are answered with an identical 404.', async () => {
    if (!needsStream) return;
    const [, id] = await mine();
    const theirs = (await rival.stream()).stream_id;
    const answers = [
      await ask(other, id),
      await ask(app, theirs),
      await ask(app, '0195f3a0-0000-7000-8000-000000000001'),
      await ask(app, 'x'),
    ];
    for (const { status, body: said } of answers) {
      expect([status, said.error_description]).toEqual([404, answers[0]?.body.error_description]);
    }
    await rival.ask('DELETE', `stream?stream_id=${theirs}`);
  });
});

test('The token of a user manages no streams, because streams belong to apps.', async () => {
  const { issueCode, publicClient, register } = await import('../../support/running-auth.ts');
  const { client } = await register(auth, { ...publicClient, scope: 'openid ssf.manage ssf.read' });
  const { form } = await issueCode(auth, client.clientId, {
    scopes: ['openid', 'ssf.manage', 'ssf.read'],
    roles: ['tenant_admin'],
  });
  const { body } = await auth.post('/t/demo/token', form);
  expect(String(body.scope)).toContain('ssf.manage');
  const said = await app.ask('GET', 'stream', undefined, { authorization: `Bearer ${body.access_token}` });
  expect([said.status, said.body.error]).toEqual([403, 'insufficient_scope']);
});

test('The streams of a deleted client are deleted with it.', async () => {
  const leaving = await receiver(auth);
  const { stream_id: id } = await leaving.stream();
  await auth.deps.clientRegistry.delete('demo', leaving.clientId);
  const { rows } = await auth.database.sql.query('SELECT 1 FROM auth.receivers WHERE id = $1::uuid', [id]);
  expect(rows).toEqual([]);
});

test('Other methods are rejected with 405 and the allowed methods.', async () => {
  const said = await app.ask('DELETE', 'status');
  expect([said.status, said.headers.get('allow')]).toEqual([405, 'GET, POST, OPTIONS']);
  expect((await app.ask('GET', 'verification')).status).toBe(405);
});
