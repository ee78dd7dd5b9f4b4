/**
 * Malformed and forged input, one kind per test, at every endpoint that accepts it. The response is the specified
 * error, never a 500, and never a redirect to an unregistered address.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  auth,
  basic,
  clientId,
  type Endpoint,
  initialAccessToken,
  type Pairs,
  redirectUri,
  requests,
  setUpCapableClient,
  without,
} from '../../support/capable-client.ts';

setUpCapableClient();

/** Required parameters of an endpoint. */
const needed: Record<Endpoint, readonly string[]> = {
  token: ['grant_type'],
  device_authorization: [],
  par: ['response_type', 'redirect_uri', 'code_challenge'],
  introspect: ['token'],
  revoke: ['token'],
  authorize: ['response_type', 'code_challenge'],
};

const endpoints = Object.keys(requests) as Endpoint[];

const text = (pairs: Pairs): string =>
  pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');

interface Outcome {
  status: number;
  error: unknown;
}

/** Sends a request and checks the rules of every response. */
async function send(
  endpoint: Endpoint,
  form: string,
  contentType = 'application/x-www-form-urlencoded',
): Promise<Outcome> {
  const response =
    endpoint === 'authorize'
      ? await fetch(`${auth.origin}/t/demo/authorize?${form}`, { redirect: 'manual' })
      : await fetch(`${auth.origin}/t/demo/${endpoint}`, {
          method: 'POST',
          headers: { authorization: basic, 'content-type': contentType },
          body: form,
        });
  expect(response.status).toBeLessThan(500);
  const location = response.headers.get('location');
  if (location !== null) {
    const target = new URL(location, auth.origin);
    expect([auth.origin, new URL(redirectUri).origin]).toContain(target.origin);
    // An error is sent to the registered address.
    if (target.origin !== auth.origin) expect(`${target.origin}${target.pathname}`).toBe(redirectUri);
    return { status: response.status, error: target.searchParams.get('error') ?? undefined };
  }
  const body = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  return { status: response.status, error: isJson && body !== '' ? JSON.parse(body).error : undefined };
}

/** Expects invalid_request in the form of the endpoint: as JSON, by redirect, or as a page without a redirect. */
function expectInvalid(endpoint: Endpoint, outcome: Outcome): void {
  if (endpoint !== 'authorize') expect(outcome).toEqual({ status: 400, error: 'invalid_request' });
  else if (outcome.status === 303) expect(outcome.error).toBe('invalid_request');
  else expect(outcome).toEqual({ status: 400, error: undefined });
}

const changed = (endpoint: Endpoint, name: string, raw: string): string =>
  `${text(without(endpoint, name))}&${name}=${raw}`;

describe('a request with', () => {
  beforeAll(() => {
    requests.authorize = requests.authorize.map(([name, value]) => [
      name,
      name === 'client_id' ? clientId : value,
    ]);
  });

  test('A valid request is answered, as the control for the other cases.', async () => {
    const statuses: Record<string, number> = {};
    for (const endpoint of endpoints)
      statuses[endpoint] = (await send(endpoint, text(requests[endpoint]))).status;
    expect(statuses).toEqual({
      token: 200,
      device_authorization: 200,
      par: 201,
      introspect: 200,
      revoke: 200,
      authorize: 303,
    });
  });

  test('A duplicate parameter returns invalid_request.', async () => {
    for (const endpoint of endpoints) {
      for (const [name, value] of requests[endpoint]) {
        for (const second of [value, 'another']) {
          const form = `${text(requests[endpoint])}&${name}=${encodeURIComponent(second)}`;
          expectInvalid(endpoint, await send(endpoint, form));
        }
      }
    }
  });

  test('A missing parameter returns invalid_request.', async () => {
    for (const endpoint of endpoints) {
      for (const name of needed[endpoint]) {
        expectInvalid(endpoint, await send(endpoint, text(without(endpoint, name))));
      }
    }
    // Several are registered, and the server must not guess one.
    for (const name of ['client_id', 'redirect_uri']) {
      expect(await send('authorize', text(without('authorize', name)))).toEqual({
        status: 400,
        error: undefined,
      });
    }
  });

  test('An empty parameter is treated as missing (RFC 6749 §3.1, §3.2).', async () => {
    for (const endpoint of endpoints) {
      for (const name of needed[endpoint]) {
        expectInvalid(endpoint, await send(endpoint, changed(endpoint, name, '')));
      }
    }
    for (const endpoint of ['token', 'par', 'introspect', 'revoke'] as const) {
      expectInvalid(endpoint, await send(endpoint, ''));
    }
  });

  test('An oversized parameter returns invalid_request.', async () => {
    for (const endpoint of endpoints) {
      for (const [name] of requests[endpoint]) {
        // The maximum size of an address in intermediate servers is smaller than that of a body.
        const outcome = await send(
          endpoint,
          changed(endpoint, name, 'a'.repeat(endpoint === 'authorize' ? 12_000 : 100_000)),
        );
        if (outcome.status !== 414 && outcome.status !== 431) expectInvalid(endpoint, outcome);
      }
    }
  });

  test('A wrongly encoded parameter returns invalid_request.', async () => {
    for (const endpoint of endpoints) {
      const name = requests[endpoint].at(-1)?.[0] ?? '';
      for (const raw of ['%', '%z1', '%ff%fe', '%c0%af', '%C3']) {
        expectInvalid(endpoint, await send(endpoint, changed(endpoint, name, raw)));
      }
    }
  });

  test('A parameter with a NUL returns invalid_request.', async () => {
    for (const endpoint of endpoints) {
      for (const [name, value] of requests[endpoint]) {
        expectInvalid(endpoint, await send(endpoint, changed(endpoint, name, `${value}%00`)));
      }
    }
  });

  test('A parameter with a lone surrogate returns invalid_request.', async () => {
    for (const endpoint of endpoints) {
      for (const [name] of requests[endpoint]) {
        for (const raw of ['%ED%A0%80', '%ED%BF%BF', 'a%ED%A0%BDb']) {
          expectInvalid(endpoint, await send(endpoint, changed(endpoint, name, raw)));
        }
      }
    }
  });

  test('A scope of a megabyte returns invalid_request.', async () => {
    for (const endpoint of ['token', 'device_authorization', 'par'] as const) {
      for (const scope of ['a'.repeat(1_048_576), 'openid+'.repeat(150_000)]) {
        expectInvalid(endpoint, await send(endpoint, changed(endpoint, 'scope', scope)));
      }
    }
  });

  test('A JSON body returns invalid_request.', async () => {
    for (const endpoint of endpoints.filter((one) => one !== 'authorize')) {
      const body = JSON.stringify(Object.fromEntries(requests[endpoint]));
      for (const type of ['application/json', 'application/json; charset=utf-8', 'application/jwt']) {
        expectInvalid(endpoint, await send(endpoint, body, type));
      }
    }
  });

  test('A wrong content type returns invalid_request.', async () => {
    for (const endpoint of endpoints.filter((one) => one !== 'authorize')) {
      for (const type of [
        'text/plain',
        'multipart/form-data; boundary=x',
        'application/xml',
        'nonsense',
        '',
      ]) {
        expectInvalid(endpoint, await send(endpoint, text(requests[endpoint]), type));
      }
    }
  });
});

describe('a registration (JSON) with', () => {
  const metadata = { client_name: 'Notes', redirect_uris: [redirectUri] };
  const post = async (body: string | Buffer<ArrayBuffer>, type = 'application/json'): Promise<Outcome> => {
    const response = await fetch(`${auth.origin}/t/demo/register`, {
      method: 'POST',
      headers: { authorization: `Bearer ${initialAccessToken}`, 'content-type': type },
      body,
    });
    return { status: response.status, error: ((await response.json()) as { error?: unknown }).error };
  };
  const json = 'application/json';
  const invalid = { status: 400, error: 'invalid_client_metadata' };

  test.each<[string, string | Buffer<ArrayBuffer>, string]>([
    ['a form body', 'client_name=Notes', 'application/x-www-form-urlencoded'],
    ['broken JSON', '{"client_name":', json],
    ['a list', '[]', json],
    ['a string', '"x"', json],
    ['null', 'null', json],
    ['bytes that are no UTF-8', Buffer.from('{"client_name":"\xff"}', 'latin1'), json],
    ['a NUL in the name', JSON.stringify({ ...metadata, client_name: 'a\0b' }), json],
    [
      'a lone surrogate in the name',
      '{"client_name":"a\\ud800","redirect_uris":["https://app.example/cb"]}',
      json,
    ],
    ['a number for a name', JSON.stringify({ ...metadata, client_name: 7 }), json],
    ['an object for a list', JSON.stringify({ ...metadata, grant_types: {} }), json],
    ['an oversized name', JSON.stringify({ ...metadata, client_name: 'a'.repeat(100_000) }), json],
    ['a huge scope', JSON.stringify({ ...metadata, scope: 'openid '.repeat(20_000) }), json],
  ])('A registration with %s returns invalid_client_metadata.', async (_name, body, type) => {
    expect(await post(body, type)).toEqual(invalid);
  });

  test('A registration with a scope of a megabyte is rejected.', async () => {
    const { status } = await post(JSON.stringify({ ...metadata, scope: 'a'.repeat(1_048_576) }));
    expect([400, 413]).toContain(status);
  });

  test('A registration with a __proto__ member does not change any prototype.', async () => {
    const body =
      '{"client_name":"N","redirect_uris":["https://app.example/cb"],"__proto__":{"require_consent":false}}';
    expect((await post(body)).status).toBe(201);
    expect(({} as Record<string, unknown>).require_consent).toBeUndefined();
  });
});
