import { beforeAll, describe, expect, test } from '@jest/globals';
import { checkClientMetadata } from '../../../src/clients/domain/clients.ts';
import {
  type App,
  answerOf,
  app,
  claimsFor,
  newKey,
  now,
  open,
  type RequestKey,
  service,
  setUpRequesting,
  signed,
  signedIn,
  stopped,
  unsigned,
} from '../../support/sign-in/requesting.ts';
import { authorizeUrl, callback, redeem, rival, tenant } from '../../support/sign-in/service.ts';

/** Request objects at the endpoint for pushed requests (RFC 9126 §3), and their client metadata. */

setUpRequesting();

let key: RequestKey;
let client: App;

beforeAll(async () => {
  key = await newKey();
  client = await app([key], { redirect_uris: [callback, `${callback}/other`] });
});

async function push(
  of: App,
  fields: Record<string, string>,
): Promise<{ status: number; body: Record<string, string> }> {
  const response = await fetch(`${service.origin}/t/${of.tenant}/par`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: of.clientId, ...fields }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

const refusedAs = (error: string) => ({ status: 400, body: { error } });

describe('a request object that is pushed', () => {
  test('Only the pushed request object counts; parameters beside it are ignored.', async () => {
    const request = await signed(claimsFor(client), key);
    const { status, body } = await push(client, {
      request,
      redirect_uri: `${callback}/other`,
      scope: 'openid email',
      state: 'outside',
      prompt: 'none login',
    });
    expect(status).toBe(201);
    const answer = await open(client, { request_uri: body.request_uri ?? '' });
    expect(answerOf(answer)).toMatchObject({ to: callback, state: 'inside' });
    const tokens = await redeem(service, client, new URL(answer.location ?? ''));
    expect(tokens.body.scope?.split(' ').toSorted()).toEqual(['openid', 'profile']);
    // One code, as for every pushed request.
    expect(await open(client, { request_uri: body.request_uri ?? '' })).toMatchObject(stopped);
  });

  const refused: [string, string, () => Promise<string>][] = [
    ['a foreign key', 'invalid_request_object', async () => signed(claimsFor(client), await newKey())],
    ['no signature', 'invalid_request_object', async () => unsigned(claimsFor(client))],
    ['an HMAC', 'invalid_request_object', () => signed(claimsFor(client), hmac)],
    ['another iss', 'invalid_request_object', () => signed(claimsFor(client, { iss: 'another' }), key)],
    [
      'another client_id',
      'invalid_request_object',
      () => signed(claimsFor(client, { client_id: 'another' }), key),
    ],
    ['exp in the past', 'invalid_request_object', () => signed(claimsFor(client, { exp: now() - 60 }), key)],
    ['another aud', 'invalid_request_object', () => signed(claimsFor(client, { aud: callback }), key)],
    [
      'sub of the client',
      'invalid_request_object',
      () => signed(claimsFor(client, { sub: client.clientId }), key),
    ],
    [
      'a request_uri inside',
      'invalid_request_object',
      () => signed(claimsFor(client, { request_uri: 'urn:ietf:params:oauth:request_uri:x' }), key),
    ],
    [
      'a redirect URI that isn’t registered',
      'invalid_request',
      () => signed(claimsFor(client, { redirect_uri: 'https://evil.example' }), key),
    ],
    [
      'a scope that isn’t its',
      'invalid_scope',
      () => signed(claimsFor(client, { scope: 'users:write' }), key),
    ],
    ['no JWT', 'invalid_request_object', async () => 'request'],
  ];
  const hmac = { alg: 'HS256', privateKey: Buffer.from('secret') };
  test.each(refused)('A pushed request object with %s is rejected as %s.', async (_name, error, make) => {
    expect(await push(client, { request: await make(), redirect_uri: callback })).toMatchObject(
      refusedAs(error),
    );
  });

  test('Credentials inside a pushed request object are not accepted, and they are not stored with the request.', async () => {
    const request = await signed(claimsFor(client, { client_secret: 'x', client_assertion: 'y' }), key);
    const { body } = await push(client, { request });
    const pushed = await service.deps.pushedRequests.find(tenant, client.clientId, body.request_uri ?? '');
    expect([...(pushed?.parameters.keys() ?? [])]).not.toEqual(
      expect.arrayContaining(['client_secret', 'client_assertion']),
    );
  });

  test('A request object cannot be pushed by reference.', async () => {
    const of = await app([key], { request_uris: ['https://apps.example/request'] });
    const answer = await push(of, { request_uri: 'https://apps.example/request' });
    expect(answer).toMatchObject(refusedAs('invalid_request'));
  });

  test('A pushed request object of another client or of a client of another tenant is rejected.', async () => {
    const theirs = await newKey();
    const other = await app([theirs], {}, rival);
    expect(await push(client, { request: await signed(claimsFor(other), theirs) })).toMatchObject(
      refusedAs('invalid_request_object'),
    );
    expect(await push(other, { request: await signed(claimsFor(client), key) })).toMatchObject(
      refusedAs('invalid_request_object'),
    );
  });

  test('A pushed request object has the same size limit as any pushed request.', async () => {
    const long = 'x'.repeat(2_000);
    const large = claimsFor(client, { nonce: long, state: long, login_hint: long, ui_locales: long });
    expect((await push(client, { request: await signed(large, key) })).status).toBe(201);
    const larger = await signed(claimsFor(client, { nonce: 'n'.repeat(20_000) }), key);
    expect((await push(client, { request: larger })).status).toBe(400);
    const beside = await push(client, { request: await signed(large, key), a: long, b: long, c: long });
    expect(beside.status).toBe(413);
  });
});

describe('where requests must be signed', () => {
  test('An unsigned request is rejected when pushed, and one pushed before signing was required gives no code.', async () => {
    const of = await app([key]);
    const plain = Object.fromEntries(new URL(authorizeUrl(of), service.origin).searchParams);
    const earlier = await push(of, plain);
    const earlierSigned = await push(of, { request: await signed(claimsFor(of), key) });
    await service.deps.clientRegistry.update(tenant, of.clientId, (current) => ({
      ...current,
      require_signed_request_object: true,
    }));
    expect(await push(of, plain)).toMatchObject(refusedAs('invalid_request'));
    const refused = answerOf(await open(of, { request_uri: earlier.body.request_uri ?? '' }));
    expect(refused).toMatchObject({ to: callback, error: 'invalid_request' });
    const good = answerOf(await open(of, { request_uri: earlierSigned.body.request_uri ?? '' }));
    expect(good).toMatchObject({ code: expect.any(String) });
    expect(answerOf(await (await signedIn()).get(authorizeUrl(of)))).toMatchObject({
      error: 'invalid_request',
    });
  });
});

describe('client metadata', () => {
  const contradictions: [string, object][] = [
    ['an algorithm of secrets', { request_object_signing_alg: 'HS256' }],
    ['an algorithm that nobody knows', { request_object_signing_alg: 'NONE' }],
    ['signed and unsigned', { require_signed_request_object: true, request_object_signing_alg: 'none' }],
    ['signed, and no key', { require_signed_request_object: true, jwks: undefined }],
    ['an address that is none', { request_uris: ['request'] }],
    ['an address with another scheme', { request_uris: ['ftp://apps.example/request'] }],
    ['an address with credentials', { request_uris: ['https://a:b@apps.example/request'] }],
    ['an endless address', { request_uris: [`https://apps.example/${'a'.repeat(500)}`] }],
    ['one text', { request_uris: 'https://apps.example/request' }],
    ['a number', { request_uris: [1] }],
    [
      'too many addresses',
      { request_uris: Array.from({ length: 51 }, (_, at) => `https://apps.example/${at}`) },
    ],
  ];
  test.each(contradictions)(
    'A registration is rejected as invalid_client_metadata: %s.',
    async (_name, metadata) => {
      await expect(app([key], metadata)).rejects.toMatchObject({ code: 'invalid_client_metadata' });
    },
  );

  test('A client registers its request object metadata itself and reads it back (RFC 7591 §3.2.1).', async () => {
    const { token } = await service.deps.registrations.createToken(tenant, {
      name: 'tests',
      scopes: ['openid'],
      uses: 1,
      lifetimeSeconds: 60,
    });
    const own = {
      request_object_signing_alg: 'ES256',
      request_uris: [`https://apps.example/request#${'x'.repeat(43)}`],
      require_signed_request_object: true,
    };
    const response = await fetch(`${service.origin}/t/${tenant}/register`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'Notes',
        redirect_uris: [callback],
        jwks: { keys: [key.jwk] },
        ...own,
      }),
    });
    const body = (await response.json()) as Record<string, unknown>;
    expect([response.status, body]).toEqual([201, expect.objectContaining(own)]);
    const shown = await fetch(
      String(body.registration_client_uri).replace(/^http:\/\/[^/]+/, service.origin),
      {
        headers: { authorization: `Bearer ${body.registration_access_token}` },
      },
    );
    expect(await shown.json()).toMatchObject(own);
  });

  test('An http request_uri is rejected at registration where https is required.', () => {
    const given = {
      client_name: 'App',
      redirect_uris: [callback],
      request_uris: ['http://apps.example/request'],
    };
    expect(() => checkClientMetadata(given, { httpsOnly: true })).toThrow(/https/);
    expect(checkClientMetadata(given).metadata.request_uris).toEqual(given.request_uris);
  });
});
