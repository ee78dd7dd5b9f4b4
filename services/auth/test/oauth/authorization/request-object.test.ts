import { beforeAll, describe, expect, test } from '@jest/globals';
import { privateKeyAlgorithms } from '../../../src/clients/domain/assertions/assertion-algorithms.ts';
import { assertionType } from '../../../src/clients/domain/assertions/client-assertion.ts';
import {
  type App,
  answerOf,
  app,
  claimsFor,
  newKey,
  now,
  open,
  publicPem,
  type RequestKey,
  service,
  setUpRequesting,
  signed,
  signedIn,
  stopped,
  unsigned,
} from '../../support/sign-in/requesting.ts';
import {
  authorizeUrl,
  callback,
  redeem,
  rival,
  signInAndAllow,
  tenant,
  token,
} from '../../support/sign-in/service.ts';

/** Request objects by value (OpenID Connect Core §6.1, RFC 9101) at the authorization endpoint. */

setUpRequesting();

let key: RequestKey;
let client: App;

beforeAll(async () => {
  key = await newKey();
  client = await app([key], { redirect_uris: [callback, `${callback}/other`] });
});

const ask = async (
  changes: Record<string, unknown> = {},
  outside: Record<string, string> = {},
  of = client,
) => open(of, { request: await signed(claimsFor(of, changes), key), ...outside });

describe('a signed request object', () => {
  test.each(privateKeyAlgorithms)('A request object signed with %s gives a code.', async (alg) => {
    const mine = await newKey(alg);
    const of = await app([mine]);
    const answer = answerOf(await open(of, { request: await signed(claimsFor(of), mine) }));
    expect(answer).toMatchObject({ to: callback, state: 'inside', code: expect.any(String) });
  });

  test.each([undefined, 'JWT', 'oauth-authz-req+jwt', 'application/oauth-authz-req+jwt'])(
    'A request object of type %s gives a code.',
    async (typ) => {
      const request = await signed(claimsFor(client), key, typ === undefined ? {} : { typ });
      expect(answerOf(await open(client, { request }))).toMatchObject({ code: expect.any(String) });
    },
  );

  test('A signed request object leads a user through sign-in to a code that is redeemed.', async () => {
    const of = await app([key], { require_consent: true });
    const request = await signed(claimsFor(of, { nonce: 'n' }), key);
    const plain = Object.keys(Object.fromEntries(new URL(authorizeUrl(of), service.origin).searchParams));
    const none = Object.fromEntries(plain.map((name) => [name, undefined]));
    const answer = await signInAndAllow(service.browser(), of, 'alice', {
      ...none,
      client_id: of.clientId,
      request,
    });
    expect((await redeem(service, of, answer)).status).toBe(200);
  });

  test('Only the signed request object counts; parameters outside it are ignored.', async () => {
    const outside = {
      redirect_uri: `${callback}/other`,
      state: 'outside',
      scope: 'openid profile email users:read',
      prompt: 'none login',
      code_challenge: 'short',
      max_age: 'never',
    };
    const answer = await ask({}, outside);
    expect(answerOf(answer)).toMatchObject({ to: callback, state: 'inside', code: expect.any(String) });
    const { body } = await redeem(service, client, new URL(answer.location ?? ''));
    expect(body.scope?.split(' ').toSorted()).toEqual(['openid', 'profile']);
  });

  test('A request object accepts numbers, the claims parameter as an object, and resources as a list.', async () => {
    const of = await app([key], { resources: ['https://api.example'] });
    const answer = await ask(
      {
        max_age: 3_600,
        claims: { userinfo: { email: null } },
        resource: ['https://api.example', service.deps.issuer(tenant)],
        nonce: null,
      },
      {},
      of,
    );
    expect(answerOf(answer)).toMatchObject({ code: expect.any(String) });
  });

  test('A request object may leave response_type and client_id to the query (OpenID Connect Core §6.1).', async () => {
    const answer = await ask({ response_type: undefined, client_id: undefined }, { response_type: 'code' });
    expect(answerOf(answer)).toMatchObject({ code: expect.any(String) });
  });

  test('A signed request object is accepted by POST as well.', async () => {
    const browser = await signedIn();
    const request = await signed(claimsFor(client), key);
    const path = `/t/${tenant}/authorize`;
    const posted = await browser.post(path, { client_id: client.clientId, request });
    expect(posted.location).toMatch(/^\/t\/demo\/authorize\?/);
    expect(answerOf(await browser.get(posted.location ?? ''))).toMatchObject({ code: expect.any(String) });
  });

  test('200 parallel requests with one request object give 200 different codes.', async () => {
    const browser = await signedIn();
    const request = await signed(claimsFor(client), key);
    const answers = await Promise.all(Array.from({ length: 200 }, () => open(client, { request }, browser)));
    expect(new Set(answers.map((answer) => answerOf(answer).code)).size).toBe(200);
  });
});

describe('no redirect before the object is verified as the client’s', () => {
  const cases: [string, () => Promise<string>][] = [
    ['a key of somebody else', async () => signed(claimsFor(client), await newKey())],
    [
      'a key it brings along',
      async () => {
        const own = await newKey();
        return signed(claimsFor(client), own, { jwk: own.jwk });
      },
    ],
    ['a kid that isn’t registered', () => signed(claimsFor(client), key, { kid: 'other' })],
    [
      'a changed payload',
      async () => {
        const [header, , signature] = (await signed(claimsFor(client), key)).split('.');
        const payload = Buffer.from(JSON.stringify(claimsFor(client, { scope: 'openid' })));
        return [header, payload.toString('base64url'), signature].join('.');
      },
    ],
    [
      'no signature, but the words of one',
      async () => (await signed(claimsFor(client), key)).replace(/[^.]+$/, ''),
    ],
    ['the type of an access token', () => signed(claimsFor(client), key, { typ: 'at+jwt' })],
    [
      'the type of a client assertion',
      () => signed(claimsFor(client), key, { typ: 'client-authentication+jwt' }),
    ],
    ['another iss', () => signed(claimsFor(client, { iss: 'another' }), key)],
    ['no iss', () => signed(claimsFor(client, { iss: undefined }), key)],
    ['another client_id', () => signed(claimsFor(client, { client_id: 'another' }), key)],
    ['a NUL', () => signed(claimsFor(client, { state: 'a\0b' }), key)],
    ['half a character', () => signed(claimsFor(client, { state: '\ud800' }), key)],
    ['nothing', async () => 'e30.e30.e30'],
    ['no JWT', async () => 'request'],
    ['a thousand dots', async () => '.'.repeat(1_000)],
  ];
  test.each(cases)('A request object with %s is rejected without a redirect.', async (_name, make) => {
    const outside = { redirect_uri: callback, response_type: 'code', state: 'outside' };
    const answer = await open(client, { request: await make(), ...outside });
    expect(answer).toMatchObject(stopped);
    expect(answer.text).not.toMatch(/signed with|registered no keys|iss is/);
  });

  test('An unsigned request object of a client that registered no algorithm redirects with invalid_request_object and state.', async () => {
    const outside = { redirect_uri: callback, response_type: 'code', state: 'outside' };
    const request = unsigned(claimsFor(client, { state: undefined }));
    const inside = unsigned(claimsFor(client, { redirect_uri: `${callback}/other` }));
    expect(answerOf(await open(client, { request, ...outside }))).toMatchObject({
      to: callback,
      error: 'invalid_request_object',
      state: 'outside',
    });
    expect(answerOf(await open(client, { request: inside, ...outside }))).toMatchObject({
      to: `${callback}/other`,
      error: 'invalid_request_object',
      state: 'inside',
    });
  });

  test('An unsigned request object is rejected without a redirect for an unregistered URI, and of a client that registered an algorithm.', async () => {
    const elsewhere = unsigned(claimsFor(client, { redirect_uri: 'https://evil.example/cb' }));
    expect(await open(client, { request: elsewhere, redirect_uri: callback })).toMatchObject(stopped);
    expect(
      await open(client, { request: unsigned(claimsFor(client)), redirect_uri: 'https://evil.example/cb' }),
    ).not.toMatchObject({ location: expect.stringContaining('evil') });
    const of = await app([await newKey('RS256', 'rs')], { request_object_signing_alg: 'RS256' });
    expect(await open(of, { request: unsigned(claimsFor(of)) })).toMatchObject(stopped);
  });

  test('An HMAC keyed with the client secret or with the text of the public key is rejected without a redirect.', async () => {
    const pem = publicPem();
    const of = await app([{ alg: 'RS256', privateKey: pem.privateKey, jwk: pem.jwk }], {
      token_endpoint_auth_method: 'client_secret_basic',
    });
    for (const privateKey of [Buffer.from(of.secret ?? ''), pem.pem, Buffer.from(JSON.stringify(pem.jwk))]) {
      const request = await signed(claimsFor(of), { alg: 'HS256', privateKey });
      expect(await open(of, { request })).toMatchObject(stopped);
    }
    const request = await signed(claimsFor(of), { alg: 'RS256', privateKey: pem.privateKey });
    expect(answerOf(await open(of, { request }))).toMatchObject({ code: expect.any(String) });
  });

  test('A request object signed with an algorithm other than the registered one is rejected without a redirect.', async () => {
    const [es, rs] = [await newKey('ES256', 'es'), await newKey('RS256', 'rs')];
    const of = await app([es, rs], { request_object_signing_alg: 'RS256' });
    expect(await open(of, { request: await signed(claimsFor(of), es) })).toMatchObject(stopped);
    expect(answerOf(await open(of, { request: await signed(claimsFor(of), rs) }))).toHaveProperty('code');
  });

  test('An object of another client, or of a client of another tenant with the same id, is rejected without a redirect.', async () => {
    const theirs = await newKey();
    const other = await app([theirs]);
    expect(await open(client, { request: await signed(claimsFor(other), theirs) })).toMatchObject(stopped);
    expect(await open(other, { request: await signed(claimsFor(client), key) })).toMatchObject(stopped);
    const { client: twin } = await service.deps.clientRegistry.register(
      rival,
      {
        client_name: 'Notes',
        token_endpoint_auth_method: 'none',
        redirect_uris: [callback],
        jwks: { keys: [theirs.jwk] },
      },
      { clientId: client.clientId },
    );
    const asTwin = { ...twin, secret: undefined };
    const request = await signed(claimsFor(asTwin), theirs);
    expect(await open(client, { request })).toMatchObject(stopped);
    expect(await open(asTwin, { request: await signed(claimsFor(client), key) })).toMatchObject(stopped);
  });

  test('An object of a client that has no keys, is disabled or is unknown is rejected without a redirect.', async () => {
    const keyless = await app();
    expect(await open(keyless, { request: await signed(claimsFor(keyless), key) })).toMatchObject(stopped);
    const disabled = await app([key]);
    await service.deps.clientRegistry.disable(tenant, disabled.clientId);
    for (const each of [disabled, { ...client, clientId: 'nobody' }]) {
      expect(await open(each, { request: await signed(claimsFor(each), key) })).toMatchObject(stopped);
    }
  });

  test('A request object that is repeated or has a request_uri beside it is rejected without a redirect.', async () => {
    const request = await signed(claimsFor(client), key);
    const query = new URLSearchParams({ client_id: client.clientId, request });
    for (const more of [{ request }, { request_uri: 'https://app.example/request' }]) {
      const twice = `${query}&${new URLSearchParams(more as Record<string, string>)}`;
      expect(await (await signedIn()).get(`/t/${tenant}/authorize?${twice}`)).toMatchObject(stopped);
    }
  });

  test('An unregistered or missing redirect URI in the object is not redirected to, regardless of the query.', async () => {
    const inside = { redirect_uri: 'https://evil.example/callback' };
    expect(await ask(inside, { redirect_uri: callback })).toMatchObject(stopped);
    expect(await ask({ redirect_uri: undefined }, { redirect_uri: callback })).toMatchObject(stopped);
  });
});

describe('errors of the client’s own object', () => {
  const cases: [string, Record<string, unknown>, Record<string, string>?][] = [
    ['it has expired', { exp: now() - 60 }],
    ['exp is no time', { exp: 'tomorrow' }],
    ['it lives longer than an hour', { exp: now() + 4_000 }],
    ['it is from the future', { nbf: now() + 120 }],
    ['it was made in the future', { iat: now() + 120 }],
    ['it is for nobody', { aud: undefined }],
    ['it is for another server', { aud: 'https://evil.example' }],
    ['it is for another tenant', { aud: 'http://localhost:4000/t/rival' }],
    ['it holds another', { request: 'e30.e30.e30' }],
    ['it refers to another', { request_uri: 'https://app.example/request' }],
  ];
  test.each(cases)(
    'The client receives an error for its own request object when %s.',
    async (_name, changes) => {
      const answer = answerOf(await ask(changes, { redirect_uri: `${callback}/other`, state: 'outside' }));
      expect(answer).toEqual({
        to: callback,
        error: 'invalid_request_object',
        error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
        state: 'inside',
        iss: service.deps.issuer(tenant),
      });
    },
  );

  test('A different response_type outside the request object is rejected (OpenID Connect Core §6.1).', async () => {
    expect(answerOf(await ask({}, { response_type: 'token' }))).toMatchObject({ error: 'invalid_request' });
  });

  test.each<[string, string, Record<string, unknown>]>([
    ['no PKCE', 'invalid_request', { code_challenge: undefined, code_challenge_method: undefined }],
    ['a scope that isn’t its', 'invalid_scope', { scope: 'openid users:write' }],
    ['prompt as a list', 'invalid_request', { prompt: ['login'] }],
    ['max_age as a truth', 'invalid_request', { max_age: true }],
    ['a registration', 'registration_not_supported', { registration: {} }],
  ])('A request object follows the same parameter rules as a query: %s.', async (_name, error, changes) => {
    expect(answerOf(await ask(changes))).toMatchObject({ to: callback, error, state: 'inside' });
  });

  test('A request object with two audiences is accepted when one of them is the issuer.', async () => {
    const aud = ['https://other.example', service.deps.issuer(tenant)];
    expect(answerOf(await ask({ aud }))).toMatchObject({ code: expect.any(String) });
  });
});

describe('a request object and a client assertion are distinct (RFC 9101 §10.8)', () => {
  test('A client assertion is rejected as a request object, and a request object as a client assertion.', async () => {
    const of = await app([key], {
      token_endpoint_auth_method: 'private_key_jwt',
      grant_types: ['authorization_code', 'client_credentials'],
    });
    const jti = crypto.randomUUID();
    const both = await signed(claimsFor(of, { sub: of.clientId, jti }), key);
    expect(answerOf(await open(of, { request: both }))).toMatchObject({ error: 'invalid_request_object' });
    const request = await signed(claimsFor(of, { jti }), key);
    const { status } = await token(service, of, {
      grant_type: 'client_credentials',
      client_assertion_type: assertionType,
      client_assertion: request,
    });
    expect(status).toBe(401);
  });
});

describe('unsigned request objects', () => {
  test('An unsigned object is accepted only from a client registered for alg none, whose signed objects are rejected.', async () => {
    const of = await app([key], { request_object_signing_alg: 'none' });
    const about = { iss: undefined, aud: undefined, exp: undefined };
    expect(answerOf(await open(of, { request: unsigned(claimsFor(of, about)) }))).toMatchObject({
      to: callback,
      code: expect.any(String),
    });
    expect(await open(of, { request: await signed(claimsFor(of), key) })).toMatchObject(stopped);
    for (const wrong of [{ iss: 'another' }, { client_id: 'another' }]) {
      expect(await open(of, { request: unsigned(claimsFor(of, wrong)) })).toMatchObject(stopped);
    }
    for (const wrong of [{ exp: now() - 60 }, { aud: 'https://evil.example' }, { request: 'e30.e30.' }]) {
      const answer = answerOf(await open(of, { request: unsigned(claimsFor(of, wrong)) }));
      expect(answer).toMatchObject({ error: 'invalid_request_object' });
    }
  });

  test('An unsigned request object is rejected from a client whose requests must be signed.', async () => {
    const of = await app([key], { require_signed_request_object: true });
    expect(await open(of, { request: unsigned(claimsFor(of)) })).toMatchObject(stopped);
    const plain = answerOf(await (await signedIn()).get(authorizeUrl(of)));
    expect(plain).toMatchObject({ to: callback, error: 'invalid_request', state: 'the state' });
    expect(answerOf(await open(of, { request: await signed(claimsFor(of), key) }))).toHaveProperty('code');
    // Write access to the database does not permit both either.
    await service.deps.database.sql.query(
      `UPDATE auth.clients SET metadata = metadata || '{"request_object_signing_alg": "none"}' WHERE client_id = $1`,
      [of.clientId],
    );
    await service.deps.clients.changed(tenant, of.clientId);
    expect(await open(of, { request: unsigned(claimsFor(of)) })).toMatchObject(stopped);
  });
});
