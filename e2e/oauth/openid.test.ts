import { describe, expect, test } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { Browser } from '../support/browser.ts';
import { runningDemo } from '../support/demo.ts';
import { adminToken, authorize, discover, redeem, signIn, walk } from '../support/sign-in.ts';

const demo = runningDemo();
const tenant = demo.tenants.demo;

describe('openid-client', () => {
  test('The flow discovery → code + PKCE by sign-in and consent → tokens → userinfo → refresh with rotation succeeds.', async () => {
    const { config, tokens, subject } = await signIn(demo, tenant, tenant.users.alice);
    expect(tokens.token_type).toBe('bearer');
    expect(tokens.expires_in).toBeGreaterThan(0);
    const userinfo = await client.fetchUserInfo(config, tokens.access_token, subject);
    expect(userinfo.preferred_username).toBe(tenant.users.alice.userName);

    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(refreshed.refresh_token).toBeDefined();
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
    expect(refreshed.claims()?.sub).toBe(subject);
    const again = await client.refreshTokenGrant(config, refreshed.refresh_token ?? '');
    expect(again.refresh_token).not.toBe(refreshed.refresh_token);
  });

  test('A confidential client authenticates with client_secret_basic.', async () => {
    const { client_id, client_secret, redirect_uris } = tenant.clients.webapp;
    const config = await discover(tenant, client_id, client_secret);
    const verifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: redirect_uris[0] ?? '',
      scope: 'openid email',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    });
    const page = await walk(new Browser(demo.origin), address, tenant.users.bob);
    const tokens = await client.authorizationCodeGrant(config, page.url, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
    expect(tokens.claims()?.aud).toBe(client_id);
  });

  test('The admin client gets a token by client_credentials.', async () => {
    const token = await adminToken(tenant);
    expect(token.split('.')).toHaveLength(3);
  });
});

describe('oauth4webapi', () => {
  test('RFC 8414 metadata states the same as OpenID discovery.', async () => {
    const issuer = new URL(tenant.issuer);
    const options = { [oauth.allowInsecureRequests]: true };
    const [rfc8414, oidc] = await Promise.all(
      (['oauth2', 'oidc'] as const).map(async (algorithm) =>
        oauth.processDiscoveryResponse(
          issuer,
          await oauth.discoveryRequest(issuer, { ...options, algorithm }),
        ),
      ),
    );
    expect(rfc8414).toEqual(oidc);
  });

  test('oauth4webapi validates an access token as an RFC 9068 resource server does.', async () => {
    const { tokens } = await signIn(demo, tenant, tenant.users.alice);
    const server = await oauth.processDiscoveryResponse(
      new URL(tenant.issuer),
      await oauth.discoveryRequest(new URL(tenant.issuer), { [oauth.allowInsecureRequests]: true }),
    );
    const request = new Request(`${demo.origin}/graphql`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    const claims = await oauth.validateJwtAccessToken(server, request, tenant.issuer, {
      [oauth.allowInsecureRequests]: true,
    });
    expect(claims.client_id).toBe(tenant.clients.web.client_id);
  });
});

describe('the authorization endpoint', () => {
  test('The endpoint never redirects to an address that is not registered.', async () => {
    const config = await discover(tenant, tenant.clients.web.client_id);
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: 'https://evil.example/callback',
      scope: 'openid',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
      state: 'x',
    });
    const page = await new Browser(demo.origin).open(address);
    expect(page.status).toBe(400);
    expect(page.url.origin).toBe(demo.origin);
    expect(page.html).not.toMatch(/href="https:\/\/evil/);
  });

  test.each([
    ['no PKCE', { code_challenge: undefined }, 'invalid_request'],
    ['PKCE plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['the implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
    ['an unknown scope', { scope: 'openid everything' }, 'invalid_scope'],
    [
      'a scope of administrators that the client is not registered for',
      { scope: 'openid users:write' },
      'invalid_scope',
    ],
  ])('A request with %s returns an error by redirect with state and iss.', async (_name, change, error) => {
    const parameters: Record<string, string | undefined> = {
      client_id: tenant.clients.web.client_id,
      response_type: 'code',
      redirect_uri: 'http://127.0.0.1:53123/callback',
      scope: 'openid',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
      state: 'the-state',
      ...change,
    };
    const address = new URL(`${tenant.issuer}/authorize`);
    for (const [name, value] of Object.entries(parameters))
      if (value !== undefined) address.searchParams.set(name, value);
    const page = await new Browser(demo.origin).open(address);
    expect(page.url.origin).toBe('http://127.0.0.1:53123');
    expect(Object.fromEntries(page.url.searchParams)).toMatchObject({
      error,
      state: 'the-state',
      iss: tenant.issuer,
    });
  });

  test('A wrong password and an unknown user return the same page.', async () => {
    const attempt = async (userName: string) => {
      const config = await discover(tenant, tenant.clients.web.client_id);
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri: 'http://127.0.0.1:53123/callback',
        scope: 'openid',
        code_challenge: 'a'.repeat(43),
        code_challenge_method: 'S256',
        state: 'x',
      });
      const page = await walk(new Browser(demo.origin), address, { userName, password: 'not the password' });
      return { status: page.status, text: page.root.querySelector('[role=alert]')?.text.trim() };
    };
    const wrong = await attempt(tenant.users.bob.userName);
    const unknown = await attempt('nobody-of-that-name');
    expect(wrong.text).toBeTruthy();
    expect(unknown).toEqual(wrong);
  });
});

describe('redemption is atomic', () => {
  const exchange = (authorization: Awaited<ReturnType<typeof authorize>>) =>
    fetch(`${tenant.issuer}/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: tenant.clients.web.client_id,
        code: authorization.callback.searchParams.get('code') ?? '',
        redirect_uri: 'http://127.0.0.1:53123/callback',
        code_verifier: authorization.verifier,
      }),
    }).then(async (response) => ({
      status: response.status,
      body: (await response.json()) as Record<string, string>,
    }));

  test('Of 20 parallel exchanges of one code, one succeeds, and the replay revokes its tokens.', async () => {
    const authorization = await authorize(demo, tenant, tenant.users.alice);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => exchange(authorization)));
    const winners = outcomes.filter((outcome) => outcome.status === 200);
    expect(winners).toHaveLength(1);
    for (const loser of outcomes.filter((outcome) => outcome.status !== 200)) {
      expect(loser).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    }
    const config = authorization.config;
    await expect(
      client.refreshTokenGrant(config, winners[0]?.body.refresh_token ?? ''),
    ).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('20 parallel refreshes with one token return one successor, and an older token revokes the family.', async () => {
    const { config, tokens } = await redeem(await authorize(demo, tenant, tenant.users.alice));
    const first = tokens.refresh_token ?? '';
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => client.refreshTokenGrant(config, first)),
    );
    const successors = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value.refresh_token] : [],
    );
    expect(successors.length).toBeGreaterThanOrEqual(1);
    expect(new Set(successors).size).toBe(1);
    const second = await client.refreshTokenGrant(config, successors[0] ?? '');
    await expect(client.refreshTokenGrant(config, first)).rejects.toMatchObject({ error: 'invalid_grant' });
    await expect(client.refreshTokenGrant(config, second.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });
});
