import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { auth, setUpTwoProcesses } from '../../support/two-processes.ts';
import { happen, pushMethod, type Receiver, receiver } from './receiving.ts';

setUpTwoProcesses({ OUTGOING_ALLOW_PRIVATE: 'true' });

let app: Receiver;
let id: string;
beforeEach(async () => {
  app = await receiver(auth);
  id = (await app.stream()).stream_id;
});

describe('malformed requests', () => {
  const nul = 'a\u0000b';
  const half = 'a\ud800b';
  const push = (endpointUrl: string) => ({ delivery: { method: pushMethod, endpoint_url: endpointUrl } });

  test.each<[string, string, string, (of: string) => object]>([
    ['a NUL in the state of a verification', 'POST', 'verification', (of) => ({ stream_id: of, state: nul })],
    ['half a character in it', 'POST', 'verification', (of) => ({ stream_id: of, state: half })],
    ['a NUL in an event', 'POST', 'stream', () => ({ events_requested: [nul] })],
    [
      'half a character in an event',
      'PATCH',
      'stream',
      (of) => ({ stream_id: of, events_requested: [half] }),
    ],
    ['a NUL in the endpoint', 'POST', 'stream', () => push('https://a.example/\u0000x')],
    ['half a character in the endpoint', 'POST', 'stream', () => push(`https://a.example/${half}`)],
    ['a line break in the endpoint', 'POST', 'stream', () => push('https://a.exa\nmple/x\r\nHost: b')],
    ['a NUL in a description', 'POST', 'stream', () => ({ description: nul })],
    [
      'half a character in a reason',
      'POST',
      'status',
      (of) => ({ stream_id: of, status: 'paused', reason: half }),
    ],
    [
      'a NUL in an address',
      'POST',
      'subjects/remove',
      (of) => ({ stream_id: of, subject: { format: 'email', email: nul } }),
    ],
    [
      'half a character in an address',
      'POST',
      'subjects/remove',
      (of) => ({ stream_id: of, subject: { format: 'email', email: half } }),
    ],
    [
      'a NUL in an id',
      'POST',
      'subjects/add',
      (of) => ({ stream_id: of, subject: { format: 'opaque', id: nul } }),
    ],
    ['a NUL in the stream’s id', 'POST', 'status', () => ({ stream_id: nul, status: 'paused' })],
    [
      'a prototype',
      'POST',
      'stream',
      () => JSON.parse('{"__proto__":{"admin":true},"delivery":{"__proto__":{"method":"x"}}}'),
    ],
    [
      'a NUL in what is wrong with a token',
      'POST',
      'poll/ID',
      () => ({ returnImmediately: true, setErrs: { [uuidv7()]: { err: nul, description: half } } }),
    ],
  ])('A request with %s causes no server error.', async (_, method, path, body) => {
    const { status } = await app.ask(method, path.replace('ID', id), body(id));
    expect(status).toBeLessThan(500);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
    const { body: all } = await app.ask('GET', 'stream');
    for (const { delivery } of all) expect(delivery.endpoint_url ?? '').toMatch(/^[\x21-\x7e]*$/);
  });
});

describe('security event tokens', () => {
  test('A security event token is rejected as an access token, logout hint or assertion, and is not exchanged.', async () => {
    await happen(auth, { type: 'session.revoked' });
    const [token = ''] = Object.values<string>((await app.poll(id)).body.sets);
    const asBearer = await fetch(`${auth.origin}/t/demo/ssf/stream`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(asBearer.status).toBe(401);
    const assertion = {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: token,
    };
    const bearer = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: token };
    const exchange = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    };
    for (const fields of [{ grant_type: 'client_credentials', ...assertion }, bearer, exchange]) {
      const { status } = await auth.post('/t/demo/token', fields);
      expect([400, 401]).toContain(status);
    }
  });
});

describe('long polls', () => {
  const wait = { returnImmediately: false };
  const waiting = () => new Promise((resolve) => setTimeout(resolve, 400));

  test('A waiting poll returns nothing once its client is disabled.', async () => {
    const polled = app.poll(id, wait);
    await waiting();
    await auth.deps.clientRegistry.disable('demo', app.clientId);
    await happen(auth, { type: 'session.revoked' });
    const { status, headers, body } = await polled;
    expect([status, body.sets]).toEqual([401, undefined]);
    expect(headers.get('www-authenticate')).toContain('invalid_token');
  });

  test('A waiting poll without events is rejected once its client is disabled.', async () => {
    const polled = app.poll(id, wait);
    await waiting();
    await auth.deps.clientRegistry.disable('demo', app.clientId);
    auth.deps.signalPolls.release();
    expect((await polled).status).toBe(401);
  });

  test('A waiting poll in a tenant without events does not accumulate memory.', async () => {
    const file = fileURLToPath(new URL('quiet-polls.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      file,
    ]);
    expect(Number(stdout)).toBeLessThan(10);
  });
});
