import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JWK } from 'jose';
import { mergeMetadata } from '../../src/clients/domain/client-metadata.ts';
import {
  asserting,
  claimsFor,
  keyed,
  newKey,
  refused,
  setUpAssertions,
  signed,
  token,
  withSecret,
} from '../support/asserting.ts';
import { basicHeader, type Fields, register } from '../support/running-auth.ts';
import { auth, twin } from '../support/two-processes.ts';

setUpAssertions();

describe('the registered authentication method', () => {
  test('Each authentication method is rejected for a client that is registered for another.', async () => {
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
        // The error names the most common mistake in the configuration of a client.
        if (registered !== used) {
          expect(body.error_description).toBe(
            `Client authentication failed: the client is registered for token_endpoint_auth_method ${registered}, not ${used}.`,
          );
        }
      }
    }
  });

  test('A client whose registration names no method may send its secret in the header or the form, but in no other way.', async () => {
    const { client, clientSecret: secret = '' } = await register(auth, {
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope: 'users:read',
    });
    const id = client.clientId;
    const fields = { grant_type: 'client_credentials' };
    const basic = { headers: { authorization: basicHeader(id, secret) } };
    const form = { ...fields, client_id: id, client_secret: secret };
    expect((await token(fields, basic)).status).toBe(200);
    expect((await token(form)).status).toBe(200);
    expect(await token(form, basic)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    const wrong = [
      token({ ...form, client_secret: 'ocs_wrong' }),
      token({ ...fields, client_id: id }),
      token(asserting(await signed(claimsFor(id), { alg: 'HS256', privateKey: Buffer.from(secret) }))),
    ];
    for (const answer of await Promise.all(wrong)) expect(answer).toMatchObject(refused);
    const change = (changes: object) =>
      auth.deps.clientRegistry.update('demo', id, (current) => mergeMetadata(current, changes));
    await change({ client_name: 'Renamed' });
    expect((await token(form)).status).toBe(200);
    await change({ token_endpoint_auth_method: 'client_secret_basic' });
    expect((await token(fields, basic)).status).toBe(200);
    expect(await token(form)).toMatchObject(refused);
    await change({ token_endpoint_auth_method: null });
    expect((await token(form)).status).toBe(200);
  });

  test('A request with two authentication methods is rejected with invalid_request.', async () => {
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

  test('A client assertion of another type counts as another method and is rejected with invalid_client.', async () => {
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
  ])('A token request is rejected with invalid_request when %s.', async (_, change) => {
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

  test('The keys of a jwks_uri are fetched once and kept, and unusable keys are ignored.', async () => {
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

  test('A jwks_uri at a private address is not requested unless the operator allows it.', async () => {
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

  test('A jwks_uri that does not answer results in 503 temporarily_unavailable and not in an internal error.', async () => {
    const id = await registered('http://127.0.0.1:4/jwks');
    const answer = await token(asserting(await signed(claimsFor(id), await newKey('ES256'))));
    expect([answer.status, answer.body.error]).toEqual([503, 'temporarily_unavailable']);
  });
});
