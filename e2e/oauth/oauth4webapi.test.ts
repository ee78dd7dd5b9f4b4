import { beforeAll, describe, expect, test } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import { Browser } from '../support/browser.ts';
import { runningDemo } from '../support/demo.ts';
import { walk } from '../support/sign-in.ts';

const demo = runningDemo();
const tenant = demo.tenants.demo;
const insecure = { [oauth.allowInsecureRequests]: true };

let server: oauth.AuthorizationServer;

beforeAll(async () => {
  const issuer = new URL(tenant.issuer);
  server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
});

/** Retries with the nonce that the server requires. */
async function withNonce<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (oauth.isDPoPNonceError(error)) return attempt();
    throw error;
  }
}

describe('oauth4webapi, step by step, with all its checks', () => {
  const webapp = tenant.clients.webapp;
  const self: oauth.Client = { client_id: webapp.client_id };
  const secret = oauth.ClientSecretBasic(webapp.client_secret);
  const redirectUri = webapp.redirect_uris[0] ?? '';

  /** Pushes a request, signs alice in, and redeems the code. */
  async function codeFlow(DPoP: oauth.DPoPHandle): Promise<oauth.TokenEndpointResponse> {
    const verifier = oauth.generateRandomCodeVerifier();
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
    const parameters = new URLSearchParams({
      client_id: self.client_id,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid profile offline_access',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    const pushed = await withNonce(async () =>
      oauth.processPushedAuthorizationResponse(
        server,
        self,
        await oauth.pushedAuthorizationRequest(server, self, secret, parameters, { ...insecure, DPoP }),
      ),
    );
    const address = new URL(server.authorization_endpoint ?? '');
    address.searchParams.set('client_id', self.client_id);
    address.searchParams.set('request_uri', pushed.request_uri);
    const { url } = await walk(new Browser(demo.origin), address, tenant.users.alice);
    // Checks state and iss (RFC 9207), which the metadata announces.
    const callback = oauth.validateAuthResponse(server, self, url, state);

    return withNonce(async () =>
      oauth.processAuthorizationCodeResponse(
        server,
        self,
        await oauth.authorizationCodeGrantRequest(server, self, secret, callback, redirectUri, verifier, {
          ...insecure,
          DPoP,
        }),
        { expectedNonce: nonce, requireIdToken: true },
      ),
    );
  }

  const refresh = ({ refresh_token = '' }: oauth.TokenEndpointResponse, DPoP: oauth.DPoPHandle) =>
    withNonce(async () =>
      oauth.processRefreshTokenResponse(
        server,
        self,
        await oauth.refreshTokenGrantRequest(server, self, secret, refresh_token, {
          ...insecure,
          DPoP,
        }),
      ),
    );

  const introspect = async (token: string) =>
    oauth.processIntrospectionResponse(
      server,
      self,
      await oauth.introspectionRequest(server, self, secret, token, insecure),
    );

  test('oauth4webapi completes PAR, code with PKCE and iss, DPoP with nonce, userinfo, refresh, introspection and revocation.', async () => {
    const DPoP = oauth.DPoP(self, await oauth.generateKeyPair('ES256'));
    const tokens = await codeFlow(DPoP);
    expect(tokens.token_type).toBe('dpop');
    const { sub } = oauth.getValidatedIdTokenClaims(tokens) ?? { sub: '' };

    const userinfo = await withNonce(async () =>
      oauth.processUserInfoResponse(
        server,
        self,
        sub,
        await oauth.userInfoRequest(server, self, tokens.access_token, { ...insecure, DPoP }),
      ),
    );
    expect(userinfo.preferred_username).toBe(tenant.users.alice.userName);

    const refreshed = await refresh(tokens, DPoP);
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);

    expect(await introspect(refreshed.access_token)).toMatchObject({
      active: true,
      sub,
      cnf: { jkt: await DPoP.calculateThumbprint() },
    });
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, self, secret, refreshed.refresh_token ?? '', insecure),
    );
    expect(await introspect(refreshed.access_token)).toEqual({ active: false });
    expect(await introspect(refreshed.refresh_token ?? '')).toEqual({ active: false });
  });

  test('A response of another issuer or with another state is rejected.', () => {
    const answer = (change: Record<string, string>) =>
      new URLSearchParams({ code: 'c', state: 's', iss: tenant.issuer, ...change });
    expect(() => oauth.validateAuthResponse(server, self, answer({}), 's')).not.toThrow();
    expect(() =>
      oauth.validateAuthResponse(server, self, answer({ iss: 'https://x.example' }), 's'),
    ).toThrow();
    expect(() => oauth.validateAuthResponse(server, self, answer({ state: 'x' }), 's')).toThrow();
  });

  test('A token from client_credentials passes the check of an RFC 9068 resource server.', async () => {
    const { client_id, client_secret } = tenant.clients.admin;
    const machine: oauth.Client = { client_id };
    const tokens = await oauth.processClientCredentialsResponse(
      server,
      machine,
      await oauth.clientCredentialsGrantRequest(
        server,
        machine,
        oauth.ClientSecretBasic(client_secret),
        { scope: 'users:read' },
        insecure,
      ),
    );
    const request = new Request(demo.graphql, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(await oauth.validateJwtAccessToken(server, request, tenant.issuer, insecure)).toMatchObject({
      client_id,
      scope: 'users:read',
    });
    expect(tokens.refresh_token).toBeUndefined();
  });

  test('By RFC 9728, the graph address of a tenant leads to its authorization server.', async () => {
    const resource = new URL(`${tenant.issuer}/graphql`);
    const metadata = await oauth.processResourceDiscoveryResponse(
      resource,
      await oauth.resourceDiscoveryRequest(resource, insecure),
    );
    expect(metadata.authorization_servers).toEqual([tenant.issuer]);
    const scim = new URL(tenant.scim);
    expect(
      await oauth.processResourceDiscoveryResponse(
        scim,
        await oauth.resourceDiscoveryRequest(scim, insecure),
      ),
    ).toMatchObject({ authorization_servers: [tenant.issuer] });
  });
});
