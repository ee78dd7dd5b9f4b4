import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import * as oauth from 'openid-client';
import { privateKeyAlgorithms, secretAlgorithms } from '../src/domain/assertion-algorithms.ts';
import { assertionType } from '../src/domain/client-assertion.ts';
import {
  type Backend,
  basicHeader,
  createBackend,
  type Fields,
  type RunningAuth,
  register,
  startAuth,
} from './running-auth.ts';

let backend: Backend;
let auth: RunningAuth;
let twin: RunningAuth;

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend, { env: { OUTGOING_ALLOW_PRIVATE: 'true' } });
  twin = await startAuth(backend, { publicOrigin: auth.origin });
});

afterAll(async () => {
  await twin?.stop();
  await auth?.stop();
  await backend?.drop();
});

interface Key {
  privateKey: Parameters<SignJWT['sign']>[0];
  jwk: JWK;
  alg: string;
}

async function newKey(alg: string, kid: string = alg): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, alg, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

const machine = { grant_types: ['client_credentials'], redirect_uris: [], scope: 'users:read' };

/** A client that authenticates with these keys. */
async function keyed(keys: readonly Key[], o: { tenant?: string; metadata?: object } = {}): Promise<string> {
  const { client } = await register(
    auth,
    {
      ...machine,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: keys.map(({ jwk }) => jwk) },
      ...o.metadata,
    },
    o.tenant,
  );
  return client.clientId;
}

async function withSecret(method = 'client_secret_jwt'): Promise<{ id: string; secret: string }> {
  const { client, clientSecret } = await register(auth, { ...machine, token_endpoint_auth_method: method });
  return { id: client.clientId, secret: clientSecret ?? '' };
}

const now = (): number => Math.floor(Date.now() / 1000);

/** The claims a well-behaved client sends; `changes` of undefined leave one out. */
const claimsFor = (clientId: string, changes: Record<string, unknown> = {}): JWTPayload =>
  Object.fromEntries(
    Object.entries({
      iss: clientId,
      sub: clientId,
      aud: auth.issuer('demo'),
      exp: now() + 60,
      iat: now(),
      jti: crypto.randomUUID(),
      ...changes,
    }).filter(([, value]) => value !== undefined),
  );

const signed = (
  claims: JWTPayload,
  key: Pick<Key, 'alg' | 'privateKey'>,
  header: object = {},
): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: key.alg, ...header }).sign(key.privateKey);

const asserting = (assertion: string): Fields => ({
  grant_type: 'client_credentials',
  client_assertion_type: assertionType,
  client_assertion: assertion,
});

const token = (
  fields: Fields,
  o: { at?: RunningAuth; tenant?: string; headers?: Record<string, string> } = {},
) => (o.at ?? auth).post(`/t/${o.tenant ?? 'demo'}/token`, fields, o.headers ? { headers: o.headers } : {});

const refused = {
  status: 401,
  body: { error: 'invalid_client', error_description: 'Client authentication failed.' },
};

describe('private_key_jwt', () => {
  let key: Key;
  let clientId: string;

  beforeAll(async () => {
    key = await newKey('ES256');
    clientId = await keyed([key]);
  });

  test.each(privateKeyAlgorithms)('signed with %s', async (alg) => {
    const mine = await newKey(alg);
    const id = await keyed([mine]);
    const answer = await token(asserting(await signed(claimsFor(id), mine)));
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
  });

  test('openid-client, as announced in the metadata', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const jwk = { ...(await exportJWK(publicKey)), kid: 'mine' };
    const id = await keyed([{ jwk, alg: 'ES256', privateKey }]);
    const config = await oauth.discovery(
      new URL(auth.issuer('demo')),
      id,
      {},
      oauth.PrivateKeyJwt({ key: privateKey, kid: 'mine' }),
      { execute: [oauth.allowInsecureRequests] },
    );
    const metadata = config.serverMetadata();
    for (const endpoint of ['token', 'introspection', 'revocation']) {
      expect(metadata[`${endpoint}_endpoint_auth_methods_supported`]).toContain('private_key_jwt');
      expect(metadata[`${endpoint}_endpoint_auth_signing_alg_values_supported`]).toContain('ES256');
    }
    const tokens = await oauth.clientCredentialsGrant(config, {});
    expect(await oauth.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true });
    await oauth.tokenRevocation(config, tokens.access_token);
    expect(await oauth.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: false });
  });

  test.each([
    ['the issuer', () => auth.issuer('demo')],
    ['the issuer in a list of one', () => [auth.issuer('demo')]],
    ['the token endpoint', () => `${auth.issuer('demo')}/token`],
  ])('may be meant for %s', async (_, aud) => {
    expect((await token(asserting(await signed(claimsFor(clientId, { aud: aud() }), key)))).status).toBe(200);
  });

  test('may be meant for the endpoint it is used at, and for no other', async () => {
    const use = async (aud: string) => {
      const { grant_type: _, ...fields } = asserting(await signed(claimsFor(clientId, { aud }), key));
      return (await auth.post('/t/demo/introspect', { ...fields, token: 'x' })).status;
    };
    expect(await use(`${auth.issuer('demo')}/introspect`)).toBe(200);
    expect(await use(`${auth.issuer('demo')}/revoke`)).toBe(401);
  });

  test('two keys, while one replaces the other; one without a kid is found too', async () => {
    const [old, next] = [await newKey('ES256', 'old'), await newKey('ES256', 'next')];
    const { kid: _, ...anonymous } = next.jwk;
    const id = await keyed([old, { ...next, jwk: anonymous }]);
    for (const [used, header] of [
      [old, {}],
      [next, {}],
      [old, { kid: 'old' }],
    ] as const) {
      expect((await token(asserting(await signed(claimsFor(id), used, header)))).status).toBe(200);
    }
  });

  describe('is refused', () => {
    const hour = 3_600;
    const cases: [string, () => Promise<string> | string][] = [
      ['when iss is another', () => signed(claimsFor(clientId, { iss: 'another' }), key)],
      ['when sub is another', () => signed(claimsFor(clientId, { sub: 'another' }), key)],
      ['without sub', () => signed(claimsFor(clientId, { sub: undefined }), key)],
      ['without aud', () => signed(claimsFor(clientId, { aud: undefined }), key)],
      ['for another tenant', () => signed(claimsFor(clientId, { aud: auth.issuer('rival') }), key)],
      ['for another server', () => signed(claimsFor(clientId, { aud: 'https://evil.example' }), key)],
      [
        'for us and another server, who could replay it',
        () => signed(claimsFor(clientId, { aud: [auth.issuer('demo'), 'https://evil.example'] }), key),
      ],
      [
        'for an address that only begins like ours',
        () => signed(claimsFor(clientId, { aud: `${auth.issuer('demo')}/` }), key),
      ],
      ['when it has expired', () => signed(claimsFor(clientId, { exp: now() - 60 }), key)],
      ['without exp', () => signed(claimsFor(clientId, { exp: undefined }), key)],
      ['when exp is text', () => signed(claimsFor(clientId, { exp: '9999999999' }), key)],
      [
        'when it lives longer than an hour',
        () => signed(claimsFor(clientId, { exp: now() + hour + 120 }), key),
      ],
      ['when it is from the future', () => signed(claimsFor(clientId, { iat: now() + 120 }), key)],
      ['before nbf', () => signed(claimsFor(clientId, { nbf: now() + 120 }), key)],
      ['without jti', () => signed(claimsFor(clientId, { jti: undefined }), key)],
      ['with an endless jti', () => signed(claimsFor(clientId, { jti: 'j'.repeat(1_000) }), key)],
      ['when jti is a number', () => signed(claimsFor(clientId, { jti: 7 }), key)],
      ['from a client nobody knows', () => signed(claimsFor('nobody'), key)],
      ['with somebody else’s key', async () => signed(claimsFor(clientId), await newKey('ES256'))],
      [
        'with a key it brings along',
        async () => {
          const own = await newKey('ES256');
          return signed(claimsFor(clientId), own, { jwk: own.jwk });
        },
      ],
      ['with a kid that isn’t registered', () => signed(claimsFor(clientId), key, { kid: 'unknown' })],
      [
        'with the public key as an HMAC secret',
        () => signed(claimsFor(clientId), { alg: 'HS256', privateKey: Buffer.from(JSON.stringify(key.jwk)) }),
      ],
      ['of an access token’s type', () => signed(claimsFor(clientId), key, { typ: 'at+jwt' })],
      ['with a kid that is no text', () => signed(claimsFor(clientId), key, { kid: 7 })],
      [
        'unsigned',
        () =>
          [{ alg: 'none' }, claimsFor(clientId)]
            .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
            .concat('')
            .join('.'),
      ],
      [
        'with a critical extension',
        async () => {
          const [, payload, signature] = (await signed(claimsFor(clientId), key)).split('.');
          const header = Buffer.from(JSON.stringify({ alg: 'ES256', crit: ['x'], x: 1 })).toString(
            'base64url',
          );
          return [header, payload, signature].join('.');
        },
      ],
      ['truncated', async () => (await signed(claimsFor(clientId), key)).slice(0, -4)],
      [
        'without its signature',
        async () => (await signed(claimsFor(clientId), key)).replace(/[^.]+$/, 'AAAA'),
      ],
      ['that is no JWT', () => 'nonsense'],
    ];
    test.each(cases)('%s', async (_, make) => {
      expect(await token(asserting(await make()))).toMatchObject(refused);
    });

    test('when its client is another tenant’s, although the key is the same', async () => {
      const theirs = await keyed([key], { tenant: 'rival' });
      expect(await token(asserting(await signed(claimsFor(theirs), key)))).toMatchObject(refused);
      const meant = await signed(claimsFor(theirs, { aud: auth.issuer('rival') }), key);
      expect((await token(asserting(meant), { tenant: 'rival' })).status).toBe(200);
    });

    test('when another algorithm is registered', async () => {
      const [ec, rsa] = [await newKey('ES256'), await newKey('RS256')];
      const id = await keyed([ec, rsa], { metadata: { token_endpoint_auth_signing_alg: 'ES256' } });
      expect(await token(asserting(await signed(claimsFor(id), rsa)))).toMatchObject(refused);
      expect((await token(asserting(await signed(claimsFor(id), ec)))).status).toBe(200);
    });

    test('when the key is for another algorithm of its kind', async () => {
      const rsa = await newKey('RS256');
      const id = await keyed([rsa]);
      const { privateKey } = rsa;
      const exported = { ...(await exportJWK(privateKey as never)), alg: 'PS256' };
      const pss = await importJWK(exported, 'PS256');
      expect(
        await token(asserting(await signed(claimsFor(id), { alg: 'PS256', privateKey: pss }))),
      ).toMatchObject(refused);
    });

    test('when the client is disabled', async () => {
      const id = await keyed([key]);
      await auth.deps.clientRegistry.disable('demo', id);
      expect(await token(asserting(await signed(claimsFor(id), key)))).toMatchObject(refused);
    });
  });

  describe('replay', () => {
    test('a second use is refused, at another process and at another endpoint too', async () => {
      const assertion = await signed(claimsFor(clientId), key);
      expect((await token(asserting(assertion))).status).toBe(200);
      expect(await token(asserting(assertion))).toMatchObject(refused);
      expect(await token(asserting(assertion), { at: twin })).toMatchObject(refused);
      const { grant_type: _, ...fields } = asserting(assertion);
      expect((await auth.post('/t/demo/introspect', { ...fields, token: 'x' })).status).toBe(401);
    });

    test('a new assertion with an old jti is refused, until the old one has expired', async () => {
      const jti = crypto.randomUUID();
      expect((await token(asserting(await signed(claimsFor(clientId, { jti }), key)))).status).toBe(200);
      expect(
        await token(asserting(await signed(claimsFor(clientId, { jti, exp: now() + 90 }), key))),
      ).toMatchObject(refused);
      const lives = await auth.deps.redis.keys(`${backend.prefix}:auth:used:client_assertion:*`);
      for (const name of lives) {
        const ms = await auth.deps.redis.pttl(name);
        expect(ms).toBeGreaterThan(0);
        expect(ms).toBeLessThan((3_600 + 60) * 1_000);
      }
    });

    test('the same jti of two clients is two', async () => {
      const other = await keyed([key]);
      const jti = crypto.randomUUID();
      for (const id of [clientId, other]) {
        expect((await token(asserting(await signed(claimsFor(id, { jti }), key)))).status).toBe(200);
      }
    });

    test('a forged assertion doesn’t use up the jti of a true one', async () => {
      const claims = claimsFor(clientId);
      const forged = await signed(claims, await newKey('ES256'));
      expect(await token(asserting(forged))).toMatchObject(refused);
      expect((await token(asserting(await signed(claims, key)))).status).toBe(200);
    });

    test('of 50 uses at once across two processes, one succeeds', async () => {
      const assertion = await signed(claimsFor(clientId), key);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          token(asserting(assertion), { at: index % 2 ? auth : twin }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ body }) => body.error === 'invalid_client')).toHaveLength(49);
    });
  });
});

describe('client_secret_jwt', () => {
  const secretKey = (secret: string, alg = 'HS256') => ({ alg, privateKey: Buffer.from(secret) });

  test.each(secretAlgorithms)('signed with %s', async (alg) => {
    const { id, secret } = await withSecret();
    expect((await token(asserting(await signed(claimsFor(id), secretKey(secret, alg))))).status).toBe(200);
  });

  test('openid-client', async () => {
    const { id, secret } = await withSecret();
    const config = await oauth.discovery(
      new URL(auth.issuer('demo')),
      id,
      {},
      oauth.ClientSecretJwt(secret),
      { execute: [oauth.allowInsecureRequests] },
    );
    expect((await oauth.clientCredentialsGrant(config, {})).access_token).toEqual(expect.any(String));
  });

  test('the secret is kept encrypted, and only for this method', async () => {
    const { id, secret } = await withSecret();
    const other = await withSecret('client_secret_basic');
    const sealedOf = async (clientId: string) => {
      const { rows } = await auth.database.sql.query<{ sealed: Buffer | null; digest: Buffer }>(
        'SELECT sealed, digest FROM auth.client_secrets WHERE client_id = $1',
        [clientId],
      );
      return rows[0]?.sealed;
    };
    const sealed = await sealedOf(id);
    expect(sealed).toBeInstanceOf(Buffer);
    expect(sealed?.includes(secret)).toBe(false);
    expect(sealed?.includes(secret.slice(4, 20))).toBe(false);
    expect(await sealedOf(other.id)).toBeNull();
  });

  test('a sealed secret moved to another client opens nothing', async () => {
    const [thief, victim] = [await withSecret(), await withSecret()];
    await auth.database.sql.query(
      `UPDATE auth.client_secrets s SET sealed = o.sealed FROM auth.client_secrets o
       WHERE s.client_id = $1 AND o.client_id = $2`,
      [victim.id, thief.id],
    );
    auth.deps.clients.changed('demo', victim.id);
    const answer = await token(asserting(await signed(claimsFor(victim.id), secretKey(thief.secret))));
    expect(answer.status).not.toBe(200);
  });

  test('two live secrets during rotation, one after it', async () => {
    const { id, secret } = await withSecret();
    const use = async (key: string) =>
      (await token(asserting(await signed(claimsFor(id), secretKey(key))))).status;
    const next = await auth.deps.clientRegistry.rotateSecret('demo', id);
    expect([await use(secret), await use(next?.clientSecret ?? '')]).toEqual([200, 200]);
    const last = await auth.deps.clientRegistry.rotateSecret('demo', id, { overlapSeconds: 0 });
    expect([
      await use(secret),
      await use(next?.clientSecret ?? ''),
      await use(last?.clientSecret ?? ''),
    ]).toEqual([401, 401, 200]);
  });

  test('is refused with another client’s secret, an empty one, and when only a private key is registered', async () => {
    const [mine, other] = [await withSecret(), await withSecret()];
    expect(await token(asserting(await signed(claimsFor(mine.id), secretKey(other.secret))))).toMatchObject(
      refused,
    );
    const id = await keyed([await newKey('ES256')]);
    expect(await token(asserting(await signed(claimsFor(id), secretKey(mine.secret))))).toMatchObject(
      refused,
    );
  });

  test('a client with a private key has no secret to rotate', async () => {
    const id = await keyed([await newKey('ES256')]);
    await expect(auth.deps.clientRegistry.rotateSecret('demo', id)).rejects.toMatchObject({
      code: 'invalid_client_metadata',
    });
  });
});

describe('exactly one method, and it is the registered one', () => {
  test('each method is refused to clients registered for another', async () => {
    const key = await newKey('ES256');
    const keyedClient = await keyed([key]);
    const basic = await withSecret('client_secret_basic');
    const post = await withSecret('client_secret_post');
    const jwt = await withSecret('client_secret_jwt');
    const ways: Record<string, (id: string, secret: string) => Promise<Awaited<ReturnType<typeof token>>>> = {
      client_secret_basic: (id, secret) =>
        token({ grant_type: 'client_credentials' }, { headers: { authorization: basicHeader(id, secret) } }),
      client_secret_post: (id, secret) =>
        token({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
      client_secret_jwt: async (id, secret) =>
        token(asserting(await signed(claimsFor(id), { alg: 'HS256', privateKey: Buffer.from(secret) }))),
      private_key_jwt: async (id) => token(asserting(await signed(claimsFor(id), key))),
      none: (id) => token({ grant_type: 'client_credentials', client_id: id }),
    };
    const clients: Record<string, { id: string; secret: string }> = {
      client_secret_basic: basic,
      client_secret_post: post,
      client_secret_jwt: jwt,
      private_key_jwt: { id: keyedClient, secret: 'ocs_anything' },
    };
    for (const [registered, { id, secret }] of Object.entries(clients)) {
      for (const [used, way] of Object.entries(ways)) {
        const { status, body } = await way(id, secret);
        expect([registered, used, status, body.error]).toEqual(
          registered === used
            ? [registered, used, 200, undefined]
            : [registered, used, 401, 'invalid_client'],
        );
      }
    }
  });

  test('two at once are invalid_request', async () => {
    const key = await newKey('ES256');
    const id = await keyed([key]);
    const assertion = asserting(await signed(claimsFor(id), key));
    const invalid = { status: 400, body: { error: 'invalid_request' } };
    expect(await token(assertion, { headers: { authorization: basicHeader(id, 'x') } })).toMatchObject(
      invalid,
    );
    expect(await token({ ...assertion, client_secret: 'x' })).toMatchObject(invalid);
    expect(await token({ ...assertion, client_id: 'another' })).toMatchObject(invalid);
    expect((await token({ ...assertion, client_id: id })).status).toBe(200);
  });

  test('an assertion of another type is another method: invalid_client', async () => {
    const key = await newKey('ES256');
    const fields = asserting(await signed(claimsFor(await keyed([key])), key));
    const saml = 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer';
    expect(await token({ ...fields, client_assertion_type: saml })).toMatchObject(refused);
  });

  test.each<[string, (fields: Fields) => Fields]>([
    ['the assertion is missing', ({ client_assertion: _, ...rest }) => rest],
    ['its type is missing', ({ client_assertion_type: _, ...rest }) => rest],
    ['it comes twice', (fields) => ({ ...fields, client_assertion: ['a.b.c', 'a.b.c'] })],
    ['it is too long', (fields) => ({ ...fields, client_assertion: 'a'.repeat(20_000) })],
  ])('invalid_request when %s', async (_, change) => {
    const key = await newKey('ES256');
    const fields = asserting(await signed(claimsFor(await keyed([key])), key));
    expect(await token(change(fields))).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });
});

describe('jwks_uri', () => {
  let server: Server;
  let keys: JWK[] = [];
  let asked = 0;
  let uri: string;

  beforeAll(async () => {
    server = createServer((_request, response) => {
      asked += 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const registered = (address: string) => keyed([], { metadata: { jwks: undefined, jwks_uri: address } });

  test('keys are fetched, kept, and passed over when they are unusable', async () => {
    const key = await newKey('ES256', 'first');
    keys = [{ kty: 'oct', k: 'c2VjcmV0' }, { kty: 'RSA', n: 'AQAB', e: 'AQAB' }, key.jwk];
    const id = await registered(`${uri}?1`);
    asked = 0;
    for (let use = 0; use < 3; use += 1) {
      expect((await token(asserting(await signed(claimsFor(id), key, { kid: 'first' })))).status).toBe(200);
    }
    expect(asked).toBe(1);
    const forged = await signed(claimsFor(id), { alg: 'HS256', privateKey: Buffer.from('secret') });
    expect(await token(asserting(forged))).toMatchObject(refused);
  });

  test('private addresses aren’t asked unless the operator allows it', async () => {
    keys = [(await newKey('ES256')).jwk];
    const id = await registered(`${uri}?2`);
    asked = 0;
    const assertion = await signed(claimsFor(id), await newKey('ES256'));
    const answer = await token(asserting(assertion), { at: twin });
    expect(answer.status).not.toBe(200);
    expect(answer.status).toBeLessThan(504);
    expect(JSON.stringify(answer.body)).not.toMatch(/127\.0\.0\.1|ECONN/);
    expect(asked).toBe(0);
  });

  test('an address that doesn’t answer is an outage, not an error of ours', async () => {
    const id = await registered('http://127.0.0.1:9/jwks');
    const answer = await token(asserting(await signed(claimsFor(id), await newKey('ES256'))));
    expect([answer.status, answer.body.error]).toEqual([503, 'temporarily_unavailable']);
  });
});
