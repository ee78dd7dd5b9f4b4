import { describe, expect, test } from '@jest/globals';
import { Prover } from '@ostiary/access/testing';
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { Browser } from '../support/browser.ts';
import { runningDemo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { ScimClient, userSchema } from '../support/scim.ts';
import { authorize, discover, everyOwnScope, walk } from '../support/sign-in.ts';

const demo = runningDemo();
const tenant = demo.tenants.demo;
const rival = demo.tenants.rival;
const users = `${tenant.scim}/Users`;
const insecure = { [oauth.allowInsecureRequests]: true };

const confirmation = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).cnf;

/** Signs a user in and redeems the code with a proof of the app's key. */
async function signInWithKey() {
  const authorization = await authorize(demo, tenant, tenant.users.alice);
  const DPoP = client.getDPoPHandle(authorization.config, await client.randomDPoPKeyPair());
  const tokens = await client.authorizationCodeGrant(
    authorization.config,
    authorization.callback,
    {
      pkceCodeVerifier: authorization.verifier,
      expectedState: authorization.state,
      expectedNonce: authorization.nonce,
      idTokenExpected: true,
    },
    undefined,
    { DPoP },
  );
  return { config: authorization.config, DPoP, tokens };
}

/** Requests a token of the administration client, bound to a key with which the test signs proofs itself. */
async function boundToken(resource?: string): Promise<{ prover: Prover; token: string }> {
  const { client_id, client_secret } = tenant.clients.admin;
  const prover = await Prover.create();
  const response = await prover.fetch(`${tenant.issuer}/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      ...(resource === undefined ? {} : { resource }),
    }).toString(),
  });
  const tokens = (await response.json()) as { access_token: string; token_type: string };
  expect(tokens.token_type).toBe('DPoP');
  expect(confirmation(tokens.access_token)).toEqual({ jkt: prover.jkt });
  return { prover, token: tokens.access_token };
}

describe('openid-client with DPoP', () => {
  test('The flow code → tokens bound to the key → userinfo → refresh succeeds with DPoP.', async () => {
    const { config, DPoP, tokens } = await signInWithKey();
    expect(tokens.token_type).toBe('dpop');
    const jkt = await DPoP.calculateThumbprint();
    expect(confirmation(tokens.access_token)).toEqual({ jkt });
    const subject = tokens.claims()?.sub ?? '';
    const userinfo = await client.fetchUserInfo(config, tokens.access_token, subject, { DPoP });
    expect(userinfo.preferred_username).toBe(tenant.users.alice.userName);
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP });
    expect(refreshed.token_type).toBe('dpop');
    expect(confirmation(refreshed.access_token)).toEqual({ jkt });
    await client.fetchUserInfo(config, refreshed.access_token, subject, { DPoP });
  });

  test('The refresh token of a public client is rejected without its key.', async () => {
    const { config, DPoP, tokens } = await signInWithKey();
    const stolen = tokens.refresh_token ?? '';
    const thief = client.getDPoPHandle(config, await client.randomDPoPKeyPair());
    for (const options of [undefined, { DPoP: thief }]) {
      await expect(client.refreshTokenGrant(config, stolen, undefined, options)).rejects.toMatchObject({
        error: 'invalid_grant',
      });
    }
    await client.refreshTokenGrant(config, stolen, undefined, { DPoP });
  });

  test('The access token is rejected as a bearer token and with another key.', async () => {
    const { config, tokens } = await signInWithKey();
    const subject = tokens.claims()?.sub ?? '';
    const thief = client.getDPoPHandle(config, await client.randomDPoPKeyPair());
    for (const options of [undefined, { DPoP: thief }]) {
      await expect(client.fetchUserInfo(config, tokens.access_token, subject, options)).rejects.toMatchObject(
        {
          status: 401,
        },
      );
    }
  });

  test('The parameter dpop_jkt binds the code at the authorization endpoint.', async () => {
    const config = await discover(tenant, tenant.clients.web.client_id);
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair());
    const verifier = client.randomPKCECodeVerifier();
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: 'http://127.0.0.1:53123/callback',
      scope: everyOwnScope,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      dpop_jkt: await DPoP.calculateThumbprint(),
    });
    const { url } = await walk(new Browser(demo.origin), address, tenant.users.alice);
    const checks = { pkceCodeVerifier: verifier };
    await expect(client.authorizationCodeGrant(config, url, checks)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    const tokens = await client.authorizationCodeGrant(config, url, checks, undefined, { DPoP });
    expect(tokens.token_type).toBe('dpop');
  });

  test('A proof at the pushed authorization request binds the code likewise.', async () => {
    const config = await discover(tenant, tenant.clients.web.client_id);
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair());
    const verifier = client.randomPKCECodeVerifier();
    const address = await client.buildAuthorizationUrlWithPAR(
      config,
      {
        redirect_uri: 'http://127.0.0.1:53123/callback',
        scope: everyOwnScope,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      },
      { DPoP },
    );
    const { url } = await walk(new Browser(demo.origin), address, tenant.users.alice);
    const checks = { pkceCodeVerifier: verifier };
    await expect(client.authorizationCodeGrant(config, url, checks)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    const tokens = await client.authorizationCodeGrant(config, url, checks, undefined, { DPoP });
    expect(tokens.token_type).toBe('dpop');
  });

  test('A token from client_credentials opens SCIM and the graph as protected resources.', async () => {
    const { client_id, client_secret } = tenant.clients.admin;
    const config = await discover(tenant, client_id, client_secret);
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair());
    const { access_token, token_type } = await client.clientCredentialsGrant(config, {}, { DPoP });
    expect(token_type).toBe('dpop');
    const query = JSON.stringify({ query: '{ users(first: 1) { totalCount } }' });
    const answer = await client.fetchProtectedResource(
      config,
      access_token,
      new URL(demo.graphql),
      'POST',
      query,
      new Headers({ 'content-type': 'application/json' }),
      { DPoP },
    );
    expect(await answer.json()).toMatchObject({ data: { users: { totalCount: expect.any(Number) } } });
    const list = await client.fetchProtectedResource(
      config,
      access_token,
      new URL(`${users}?count=1`),
      'GET',
      null,
      new Headers(),
      { DPoP },
    );
    expect(list.status).toBe(200);
  });
});

describe('DPoP without a library', () => {
  test('SCIM reads and writes with one proof each, and a reused or missing proof is rejected.', async () => {
    const { prover, token } = await boundToken();
    const body = JSON.stringify({ schemas: [userSchema], userName: unique('dpop') });
    const headers = { 'content-type': 'application/scim+json' };
    const created = await prover.fetch(users, { method: 'POST', headers, body }, token);
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { id: string };

    const proven = await prover.headers('GET', `${users}/${id}`, token);
    expect((await fetch(`${users}/${id}`, { headers: proven })).status).toBe(200);
    const again = await fetch(`${users}/${id}`, { headers: proven });
    expect(again.status).toBe(401);
    expect(again.headers.get('www-authenticate')).toMatch(/^DPoP .*error="invalid_dpop_proof"/);

    const bearer = await new ScimClient(tenant, token).call('GET', `/Users/${id}`);
    expect(bearer.status).toBe(401);
    expect(bearer.headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_token".*, DPoP /);
    expect((await prover.fetch(`${users}/${id}`, { method: 'DELETE' }, token)).status).toBe(204);
  });

  test('Three services of the graph accept one proof, which is for the public address.', async () => {
    const { prover, token } = await boundToken();
    const query = `{ users(first: 2) { edges { node { id userName sessions { id } provisioning { externalId } } } } }`;
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    };
    const answer = await prover.fetch(demo.graphql, init, token);
    const { data, errors } = (await answer.json()) as {
      data: { users: { edges: unknown[] } };
      errors?: unknown;
    };
    expect(errors).toBeUndefined();
    expect(data.users.edges.length).toBeGreaterThan(0);

    const bearer = await graph(demo, token, query);
    expect([bearer.status, bearer.errors[0]?.extensions?.code]).toEqual([401, 'UNAUTHENTICATED']);
    const elsewhere = await fetch(demo.graphql, {
      ...init,
      headers: { ...init.headers, ...(await prover.headers('POST', `${demo.origin}/other`, token)) },
    });
    expect(elsewhere.status).toBe(401);
  });

  test('One nonce is valid for the whole origin: token endpoint, SCIM and graph.', async () => {
    const { prover, token } = await boundToken();
    const { nonce } = prover;
    for (const url of [
      `${users}?count=1`,
      `${demo.graphql}?query={__typename}`,
      `${tenant.issuer}/userinfo`,
    ]) {
      const answer = await fetch(url, { headers: await prover.headers('GET', url, token) });
      expect(answer.headers.get('www-authenticate') ?? '').not.toContain('use_dpop_nonce');
    }
    expect(prover.nonce).toBe(nonce);
  });

  test('A bound token of one tenant gives no access to another tenant.', async () => {
    const { prover, token } = await boundToken();
    const url = `${rival.scim}/Users`;
    expect((await prover.fetch(url, {}, token)).status).toBe(401);
  });
});

describe('protected resource metadata (RFC 9728)', () => {
  test.each([
    ['SCIM', () => tenant.scim, [tenant.issuer]],
    ['the graph', () => demo.graphql, undefined],
  ])(
    'oauth4webapi finds the metadata of %s, and a token for that resource alone works there and nowhere else.',
    async (_name, resource, servers) => {
      const identifier = new URL(resource());
      const response = await oauth.resourceDiscoveryRequest(identifier, insecure);
      const metadata = await oauth.processResourceDiscoveryResponse(identifier, response);
      expect(metadata.authorization_servers).toEqual(servers);
      expect(metadata.bearer_methods_supported).toEqual(['header']);
      expect(metadata.dpop_signing_alg_values_supported).toContain('ES256');

      const { prover, token } = await boundToken(metadata.resource);
      const statusOf = async (url: string) => (await prover.fetch(url, {}, token)).status;
      const isScim = metadata.resource === tenant.scim;
      expect(await statusOf(`${users}?count=1`)).toBe(isScim ? 200 : 401);
      expect(await statusOf(`${demo.graphql}?query={__typename}`)).toBe(isScim ? 401 : 200);
    },
  );

  test('The challenge of each resource contains the address of its metadata.', async () => {
    for (const url of [users, `${demo.graphql}?query={me{id}}`]) {
      const { headers } = await fetch(url);
      const address = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1] ?? '';
      const { resource } = (await (await fetch(address)).json()) as { resource: string };
      expect(url.startsWith(resource)).toBe(true);
    }
  });
});
