import { beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, importJWK } from 'jose';
import * as oauth from 'openid-client';
import { privateKeyAlgorithms } from '../../src/clients/domain/assertions/assertion-algorithms.ts';
import {
  asserting,
  claimsFor,
  type Key,
  keyed,
  newKey,
  now,
  refused,
  setUpAssertions,
  signed,
  token,
} from '../support/asserting.ts';
import { auth, backend, twin } from '../support/two-processes.ts';

setUpAssertions();

describe('private_key_jwt', () => {
  let key: Key;
  let clientId: string;

  beforeAll(async () => {
    key = await newKey('ES256');
    clientId = await keyed([key]);
  });

  test.each(privateKeyAlgorithms)('A client assertion signed with %s is accepted.', async (alg) => {
    const mine = await newKey(alg);
    const id = await keyed([mine]);
    const answer = await token(asserting(await signed(claimsFor(id), mine)));
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
  });

  test('openid-client authenticates with private_key_jwt as announced in the metadata.', async () => {
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
    for (const endpoint of ['token', 'introspection', 'revocation', 'revocation_feed']) {
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
  ])('A client assertion with %s as its audience is accepted.', async (_, aud) => {
    expect((await token(asserting(await signed(claimsFor(clientId, { aud: aud() }), key)))).status).toBe(200);
  });

  test('A client assertion for the endpoint where it is used is accepted, and one for another endpoint is rejected.', async () => {
    const use = async (aud: string) => {
      const { grant_type: _, ...fields } = asserting(await signed(claimsFor(clientId, { aud }), key));
      return (await auth.post('/t/demo/introspect', { ...fields, token: 'x' })).status;
    };
    expect(await use(`${auth.issuer('demo')}/introspect`)).toBe(200);
    expect(await use(`${auth.issuer('demo')}/revoke`)).toBe(401);
  });

  test('Two keys are valid while one replaces the other, and a key without a kid is found too.', async () => {
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

  describe('rejected assertions', () => {
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
      ...(
        [
          ['for an empty list', () => []],
          ['for a list in a list', () => [[auth.issuer('demo')]]],
          ['for the issuer twice', () => [auth.issuer('demo'), auth.issuer('demo')]],
          [
            'for the issuer and its token endpoint',
            () => [auth.issuer('demo'), `${auth.issuer('demo')}/token`],
          ],
          ['for another tenant’s token endpoint', () => `${auth.issuer('rival')}/token`],
          ['for the issuer and another tenant', () => [auth.issuer('demo'), auth.issuer('rival')]],
          ['for another spelling of the token endpoint', () => `${auth.issuer('demo')}/token?x=1`],
          ['for the issuer in other letters', () => auth.issuer('demo').toUpperCase()],
          ['for the endpoint that publishes our keys', () => `${auth.issuer('demo')}/jwks`],
          ['for our origin alone', () => new URL(auth.issuer('demo')).origin],
          ['for the client itself', () => clientId],
          ['for an object', () => ({ 0: auth.issuer('demo') })],
          ['for a truth', () => true],
        ] as [string, () => unknown][]
      ).map<[string, () => Promise<string>]>(([name, aud]) => [
        name,
        () => signed(claimsFor(clientId, { aud: aud() }), key),
      ]),
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
    test.each(cases)('A client assertion is rejected: %s.', async (_, make) => {
      expect(await token(asserting(await make()))).toMatchObject(refused);
    });

    test('A client assertion is rejected when its client belongs to another tenant, although the key is the same.', async () => {
      const theirs = await keyed([key], { tenant: 'rival' });
      expect(await token(asserting(await signed(claimsFor(theirs), key)))).toMatchObject(refused);
      const meant = await signed(claimsFor(theirs, { aud: auth.issuer('rival') }), key);
      expect((await token(asserting(meant), { tenant: 'rival' })).status).toBe(200);
    });

    test('A client assertion is rejected when another algorithm is registered.', async () => {
      const [ec, rsa] = [await newKey('ES256'), await newKey('RS256')];
      const id = await keyed([ec, rsa], { metadata: { token_endpoint_auth_signing_alg: 'ES256' } });
      expect(await token(asserting(await signed(claimsFor(id), rsa)))).toMatchObject(refused);
      expect((await token(asserting(await signed(claimsFor(id), ec)))).status).toBe(200);
    });

    test('A client assertion is rejected when the key is for another algorithm of its kind.', async () => {
      const rsa = await newKey('RS256');
      const id = await keyed([rsa]);
      const { privateKey } = rsa;
      const exported = { ...(await exportJWK(privateKey as never)), alg: 'PS256' };
      const pss = await importJWK(exported, 'PS256');
      expect(
        await token(asserting(await signed(claimsFor(id), { alg: 'PS256', privateKey: pss }))),
      ).toMatchObject(refused);
    });

    test('A client assertion is rejected when the client is disabled.', async () => {
      const id = await keyed([key]);
      await auth.deps.clientRegistry.disable('demo', id);
      expect(await token(asserting(await signed(claimsFor(id), key)))).toMatchObject(refused);
    });
  });

  describe('replay', () => {
    test('A second use of a client assertion is rejected, also at another process and at another endpoint.', async () => {
      const assertion = await signed(claimsFor(clientId), key);
      expect((await token(asserting(assertion))).status).toBe(200);
      expect(await token(asserting(assertion))).toMatchObject(refused);
      expect(await token(asserting(assertion), { at: twin })).toMatchObject(refused);
      const { grant_type: _, ...fields } = asserting(assertion);
      expect((await auth.post('/t/demo/introspect', { ...fields, token: 'x' })).status).toBe(401);
    });

    test('A new assertion with a used jti is rejected until the old assertion has expired.', async () => {
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

    test('The same jti from two different clients is accepted for each of them.', async () => {
      const other = await keyed([key]);
      const jti = crypto.randomUUID();
      for (const id of [clientId, other]) {
        expect((await token(asserting(await signed(claimsFor(id, { jti }), key)))).status).toBe(200);
      }
    });

    test('A forged assertion does not consume the jti of a genuine one.', async () => {
      const claims = claimsFor(clientId);
      const forged = await signed(claims, await newKey('ES256'));
      expect(await token(asserting(forged))).toMatchObject(refused);
      expect((await token(asserting(await signed(claims, key)))).status).toBe(200);
    });

    test('Of 50 concurrent uses across two processes, one succeeds.', async () => {
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
