import { beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair } from 'jose';
import * as client from 'openid-client';
import { publicClient, register, verifier } from '../../support/running-auth.ts';
import { signedInBrowser } from '../../support/signed-in-browser.ts';
import { auth, setUpTwoProcesses } from '../../support/two-processes.ts';

const callback = 'http://127.0.0.1:8123/callback';
const codeVerifier = verifier();

setUpTwoProcesses();

let app: { id: string; secret: string };

beforeAll(async () => {
  const { client: confidential, clientSecret } = await register(auth, {
    ...publicClient,
    // A registered port; any other requires user interaction (RFC 8252 §8.6).
    redirect_uris: [callback],
    require_consent: false,
    token_endpoint_auth_method: 'client_secret_post',
    application_type: 'native',
  });
  app = { id: confidential.clientId, secret: clientSecret ?? '' };
});

describe('openid-client', () => {
  test('openid-client pushes a request, redirects the browser and redeems the code.', async () => {
    const config = await client.discovery(
      new URL(auth.issuer('demo')),
      app.id,
      {},
      client.ClientSecretPost(app.secret),
      { execute: [client.allowInsecureRequests] },
    );
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    const address = await client.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: callback,
      scope: 'openid profile',
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    expect([...address.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
    const answer = await (await signedInBrowser(auth)).get(address.pathname + address.search);
    const tokens = await client.authorizationCodeGrant(config, new URL(answer.location ?? ''), {
      pkceCodeVerifier: codeVerifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    expect(tokens.claims()?.aud).toBe(app.id);
  });

  test('openid-client signs its requests (RFC 9101), sends them by value, and pushes them (RFC 9126 §3).', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const { client: signing, clientSecret } = await register(auth, {
      ...publicClient,
      redirect_uris: [callback],
      require_consent: false,
      application_type: 'native',
      token_endpoint_auth_method: 'client_secret_post',
      jwks: { keys: [await exportJWK(publicKey)] },
      require_signed_request_object: true,
    });
    const config = await client.discovery(
      new URL(auth.issuer('demo')),
      signing.clientId,
      {},
      client.ClientSecretPost(clientSecret ?? ''),
      { execute: [client.allowInsecureRequests] },
    );
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    const parameters = {
      redirect_uri: callback,
      scope: 'openid profile',
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    };
    const byValue = await client.buildAuthorizationUrlWithJAR(config, parameters, privateKey);
    expect([...byValue.searchParams.keys()].sort()).toEqual(['client_id', 'request']);
    const byPush = await client.buildAuthorizationUrlWithPAR(config, byValue.searchParams);
    expect([...byPush.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
    for (const address of [byValue, byPush]) {
      const answer = await (await signedInBrowser(auth)).get(address.pathname + address.search);
      const tokens = await client.authorizationCodeGrant(config, new URL(answer.location ?? ''), {
        pkceCodeVerifier: codeVerifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      expect(tokens.claims()?.aud).toBe(signing.clientId);
    }
    const plain = client.buildAuthorizationUrl(config, parameters);
    const refused = await (await signedInBrowser(auth)).get(plain.pathname + plain.search);
    expect(new URL(refused.location ?? '').searchParams.get('error')).toBe('invalid_request');
  });
});
