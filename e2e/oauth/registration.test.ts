import { describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair } from 'jose';
import type * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { Browser } from '../support/browser.ts';
import { runningDemo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { adminToken, walk } from '../support/sign-in.ts';

const demo = runningDemo();
const tenant = demo.tenants.demo;

/** Creates an initial access token as an administrator. */
async function initialAccessToken(input: object = {}): Promise<string> {
  const { data, errors } = await graph(
    demo,
    await adminToken(tenant),
    'mutation ($input: CreateInitialAccessTokenInput!) { createInitialAccessToken(input: $input) { token } }',
    { input: { name: unique('registration'), ...input } },
  );
  expect(errors).toEqual([]);
  return data.createInitialAccessToken.token;
}

const redirectUri = 'https://notes.example/callback';
const execute = [client.allowInsecureRequests];

/** Signs alice in to a client that registered itself. */
async function signInTo(config: client.Configuration, scope: string) {
  const verifier = client.randomPKCECodeVerifier();
  const [state, nonce] = [client.randomState(), client.randomNonce()];
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  });
  const { url } = await walk(new Browser(demo.origin), address, tenant.users.alice);
  return client.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
}

describe('openid-client registers itself', () => {
  test('The client registers with a private key, and a user signs in.', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const config = await client.dynamicClientRegistration(
      new URL(tenant.issuer),
      {
        client_name: unique('notes'),
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: 'k1' } as client.JWK] },
      },
      client.PrivateKeyJwt({ key: privateKey, kid: 'k1' }),
      { initialAccessToken: await initialAccessToken(), execute },
    );
    const tokens = await signInTo(config, 'openid profile offline_access');
    expect(tokens.claims()?.aud).toBe(config.clientMetadata().client_id);
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
  });

  test('A client with a secret reads, changes and deletes its registration, and the tokens of its users end with it.', async () => {
    const config = await client.dynamicClientRegistration(
      new URL(tenant.issuer),
      {
        client_name: unique('notes'),
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
      undefined,
      { initialAccessToken: await initialAccessToken(), execute },
    );
    const self = config.clientMetadata() as oauth.Client & Record<string, string>;
    const manage = async (method: string, body?: object) => {
      const response = await fetch(self.registration_client_uri ?? '', {
        method,
        headers: {
          authorization: `Bearer ${self.registration_access_token}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      return {
        status: response.status,
        body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      };
    };
    const tokens = await signInTo(config, 'openid profile');
    expect((await manage('GET')).body).toMatchObject({
      client_id: self.client_id,
      redirect_uris: [redirectUri],
    });
    const changed = await manage('PUT', {
      client_id: self.client_id,
      client_name: 'Renamed',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'client_secret_post',
    });
    expect(changed).toMatchObject({ status: 200, body: { client_name: 'Renamed' } });
    const subject = tokens.claims()?.sub ?? '';
    expect((await client.fetchUserInfo(config, tokens.access_token, subject)).sub).toBe(subject);
    expect((await manage('DELETE')).status).toBe(204);
    await expect(client.fetchUserInfo(config, tokens.access_token, subject)).rejects.toMatchObject({
      status: 401,
    });
    expect((await manage('GET')).status).toBe(401);
  });
});

describe('registration is open only with an initial access token', () => {
  test('Registration with a missing, wrong or used-up initial access token is rejected.', async () => {
    const register = (initialAccess?: string) =>
      client.dynamicClientRegistration(
        new URL(tenant.issuer),
        { redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' },
        undefined,
        { ...(initialAccess === undefined ? {} : { initialAccessToken: initialAccess }), execute },
      );
    await expect(register()).rejects.toMatchObject({ status: 401 });
    await expect(register('oit_guess')).rejects.toMatchObject({ status: 401 });
    await expect(register(await adminToken(tenant))).rejects.toMatchObject({ status: 401 });
    const once = await initialAccessToken({ uses: 1 });
    expect((await register(once)).clientMetadata().client_id).toEqual(expect.any(String));
    await expect(register(once)).rejects.toMatchObject({ status: 401 });
  });

  test('Registration with the initial access token of another tenant is rejected.', async () => {
    const token = await initialAccessToken();
    const [other] = Object.values(demo.tenants).filter(({ issuer }) => issuer !== tenant.issuer);
    const attempt = client.dynamicClientRegistration(
      new URL(other?.issuer ?? ''),
      { redirect_uris: [redirectUri] },
      undefined,
      { initialAccessToken: token, execute },
    );
    await expect(attempt).rejects.toMatchObject({ status: 401 });
  });

  test('Registration grants scopes of administrators only if the initial access token allows them.', async () => {
    const register = (scope: string, token: string) =>
      client.dynamicClientRegistration(
        new URL(tenant.issuer),
        {
          grant_types: ['client_credentials'],
          redirect_uris: [],
          token_endpoint_auth_method: 'client_secret_post',
          scope,
        },
        undefined,
        { initialAccessToken: token, execute },
      );
    await expect(register('users:read', await initialAccessToken())).rejects.toMatchObject({
      error: 'invalid_client_metadata',
    });
    const config = await register('users:read', await initialAccessToken({ scopes: ['users:read'] }));
    const tokens = await client.clientCredentialsGrant(config, { scope: 'users:read' });
    expect((await graph(demo, tokens.access_token, '{ users(first: 1) { totalCount } }')).errors).toEqual([]);
    await expect(client.clientCredentialsGrant(config, { scope: 'users:write' })).rejects.toMatchObject({
      error: 'invalid_scope',
    });
  });
});
