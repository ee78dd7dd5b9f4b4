import { describe, expect, test } from '@jest/globals';
import { exportJWK, type GenerateKeyPairResult, generateKeyPair } from 'jose';
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { runningDemo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { adminToken } from '../support/sign-in.ts';

const demo = runningDemo();
const tenant = demo.tenants.demo;
const insecure = { [oauth.allowInsecureRequests]: true };

interface Registered {
  id: string;
  secret: string;
}

/** Registers a machine client with one authentication method. */
async function machine(tokenEndpointAuthMethod: string, more: object = {}): Promise<Registered> {
  const { data, errors } = await graph(
    demo,
    await adminToken(tenant),
    `mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } clientSecret } }`,
    {
      input: {
        name: unique('machine'),
        tokenEndpointAuthMethod,
        grantTypes: ['client_credentials'],
        scopes: ['users:read'],
        ...more,
      },
    },
  );
  expect(errors).toEqual([]);
  return { id: data.registerClient.client.id, secret: data.registerClient.clientSecret };
}

const newKey = (): Promise<GenerateKeyPairResult> => generateKeyPair('ES256', { extractable: true });

async function keyedMachine(key: GenerateKeyPairResult): Promise<Registered> {
  const jwk = { ...(await exportJWK(key.publicKey)), kid: 'k1', alg: 'ES256' };
  return machine('PRIVATE_KEY_JWT', { jwks: JSON.stringify({ keys: [jwk] }) });
}

const configured = (id: string, method: client.ClientAuth): Promise<client.Configuration> =>
  client.discovery(new URL(tenant.issuer), id, {}, method, { execute: [client.allowInsecureRequests] });

describe('openid-client', () => {
  const ways: [string, () => Promise<{ id: string; method: client.ClientAuth }>][] = [
    [
      'ClientSecretPost',
      async () => {
        const { id, secret } = await machine('CLIENT_SECRET_POST');
        return { id, method: client.ClientSecretPost(secret) };
      },
    ],
    [
      'ClientSecretBasic',
      async () => {
        const { id, secret } = await machine('CLIENT_SECRET_BASIC');
        return { id, method: client.ClientSecretBasic(secret) };
      },
    ],
    [
      'ClientSecretJwt',
      async () => {
        const { id, secret } = await machine('CLIENT_SECRET_JWT');
        return { id, method: client.ClientSecretJwt(secret) };
      },
    ],
    [
      'PrivateKeyJwt',
      async () => {
        const key = await newKey();
        const { id } = await keyedMachine(key);
        return { id, method: client.PrivateKeyJwt({ key: key.privateKey, kid: 'k1' }) };
      },
    ],
  ];
  test.each(ways)('%s works at the token, introspection and revocation endpoints.', async (_, make) => {
    const { id, method } = await make();
    const config = await configured(id, method);
    const { access_token: token } = await client.clientCredentialsGrant(config, { scope: 'users:read' });
    expect(await client.tokenIntrospection(config, token)).toMatchObject({ active: true, client_id: id });
    await client.tokenRevocation(config, token);
    expect(await client.tokenIntrospection(config, token)).toMatchObject({ active: false });
  });

  test('A client registered for one authentication method is rejected with every other.', async () => {
    const key = await newKey();
    const keyed = await keyedMachine(key);
    const hmac = await machine('CLIENT_SECRET_JWT');
    const attempts: [string, client.ClientAuth][] = [
      [keyed.id, client.ClientSecretBasic('ocs_guess')],
      [keyed.id, client.ClientSecretJwt('ocs_guess')],
      [keyed.id, client.None()],
      [hmac.id, client.ClientSecretBasic(hmac.secret)],
      [hmac.id, client.ClientSecretPost(hmac.secret)],
      [hmac.id, client.PrivateKeyJwt(key.privateKey)],
    ];
    for (const [id, method] of attempts) {
      const config = await configured(id, method);
      await expect(client.clientCredentialsGrant(config)).rejects.toMatchObject({ status: 401 });
    }
  });

  test('A secret that signs assertions is rotated without an interruption.', async () => {
    const { id, secret } = await machine('CLIENT_SECRET_JWT');
    const { data } = await graph(
      demo,
      await adminToken(tenant),
      'mutation ($input: RotateClientSecretInput!) { rotateClientSecret(input: $input) { clientSecret } }',
      { input: { id } },
    );
    for (const live of [secret, data.rotateClientSecret.clientSecret]) {
      const config = await configured(id, client.ClientSecretJwt(live));
      expect((await client.clientCredentialsGrant(config)).access_token).toEqual(expect.any(String));
    }
  });
});

describe('oauth4webapi', () => {
  test('An assertion works once, through the edge as well.', async () => {
    const key = await newKey();
    const { id } = await keyedMachine(key);
    const server = await oauth.processDiscoveryResponse(
      new URL(tenant.issuer),
      await oauth.discoveryRequest(new URL(tenant.issuer), insecure),
    );
    let sent: URLSearchParams | undefined;
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      { client_id: id },
      oauth.PrivateKeyJwt({ key: key.privateKey, kid: 'k1' }),
      {},
      {
        ...insecure,
        [oauth.customFetch]: (address: string, init: oauth.CustomFetchOptions<'POST', URLSearchParams>) => {
          sent = init.body;
          return fetch(address, init as RequestInit);
        },
      },
    );
    await oauth.processClientCredentialsResponse(server, { client_id: id }, response);
    const again = await fetch(`${tenant.issuer}/token`, { method: 'POST', body: new URLSearchParams(sent) });
    expect([again.status, await again.json()]).toMatchObject([401, { error: 'invalid_client' }]);
  });

  test('oauth4webapi verifies introspection as a signed JWT (RFC 9701).', async () => {
    const { id, secret } = await machine('CLIENT_SECRET_BASIC', {
      introspectionSignedResponseAlg: 'EDDSA',
      protectedResources: ['urn:ostiary:tenant-api'],
    });
    const server = await oauth.processDiscoveryResponse(
      new URL(tenant.issuer),
      await oauth.discoveryRequest(new URL(tenant.issuer), insecure),
    );
    const self = { client_id: id, introspection_signed_response_alg: 'Ed25519' };
    const token = await adminToken(tenant, 'users:read');
    const response = await oauth.introspectionRequest(
      server,
      { client_id: id, introspection_signed_response_alg: 'EdDSA' },
      oauth.ClientSecretBasic(secret),
      token,
      { ...insecure, requestJwtResponse: true },
    );
    expect(response.headers.get('content-type')).toBe('application/token-introspection+jwt');
    const answer = await oauth.processIntrospectionResponse(
      server,
      { ...self, introspection_signed_response_alg: 'EdDSA' },
      response,
    );
    await oauth.validateApplicationLevelSignature(server, response, insecure);
    expect(answer).toMatchObject({ active: true, scope: 'users:read' });
  });
});
