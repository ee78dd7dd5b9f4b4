import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { runningDemo, unique } from '../support/demo.ts';
import { graph, meQuery } from '../support/graph.ts';
import { bindUserName } from '../support/issuer-subjects.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken, discover, type SignedIn, signIn } from '../support/sign-in.ts';

const demo = runningDemo();
const tenant = demo.tenants.demo;
const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
const bearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';

let api: client.Configuration;

beforeAll(async () => {
  api = await discover(tenant, tenant.clients.api.client_id, tenant.clients.api.client_secret);
});

const exchange = (subjectToken: string, parameters: Record<string, string> = {}) =>
  client.genericGrantRequest(api, exchangeGrant, {
    subject_token: subjectToken,
    subject_token_type: accessTokenType,
    ...parameters,
  });

const refused = (error: string) => expect.objectContaining({ error });

/** Signs an assertion about a user (RFC 7523 §3). */
const assertionOf = (issuer: string, subject: string, key: Parameters<SignJWT['sign']>[0]): Promise<string> =>
  new SignJWT({ jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: 'ES256', kid: 'partner-1' })
    .setIssuer(issuer)
    .setSubject(subject)
    .setAudience(tenant.issuer)
    .setIssuedAt()
    .setExpirationTime('2m')
    .sign(key);

describe('token exchange (RFC 8693)', () => {
  let alice: SignedIn;

  beforeAll(async () => {
    alice = await signIn(demo, tenant, tenant.users.alice);
  });

  test('With openid-client, a service exchanges the token of its calling user for one of its own.', async () => {
    const tokens = await exchange(alice.tokens.access_token, { scope: 'openid profile' });
    expect(tokens).toMatchObject({ issued_token_type: accessTokenType, scope: 'openid profile' });
    expect(tokens.refresh_token).toBeUndefined();
    const userinfo = await client.fetchUserInfo(api, tokens.access_token, alice.subject);
    expect(userinfo.preferred_username).toBe(tenant.users.alice.userName);
    expect(userinfo.email).toBeUndefined();
    expect((await graph(demo, tokens.access_token, meQuery)).data.me.id).toBe(alice.subject);
    const seen = await client.tokenIntrospection(api, tokens.access_token);
    expect(seen).toMatchObject({
      active: true,
      sub: alice.subject,
      client_id: tenant.clients.api.client_id,
      act: { sub: tenant.clients.api.client_id },
    });
  });

  test('oauth4webapi exchanges a token by genericTokenEndpointRequest with its checks enabled.', async () => {
    const options = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(tenant.issuer);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, options),
    );
    const { client_id, client_secret } = tenant.clients.api;
    const response = await oauth.genericTokenEndpointRequest(
      server,
      { client_id },
      oauth.ClientSecretBasic(client_secret),
      exchangeGrant,
      { subject_token: alice.tokens.access_token, subject_token_type: accessTokenType },
      options,
    );
    const tokens = await oauth.processGenericTokenEndpointResponse(server, { client_id }, response);
    expect(tokens.issued_token_type).toBe(accessTokenType);
    const request = new Request(`${demo.origin}/graphql`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    const claims = await oauth.validateJwtAccessToken(server, request, tenant.issuer, options);
    expect(claims).toMatchObject({ sub: alice.subject, client_id });
  });

  test('An exchange only narrows scope and audience.', async () => {
    const { access_token } = await exchange(alice.tokens.access_token, { scope: 'openid' });
    await expect(exchange(access_token, { scope: 'openid email' })).rejects.toEqual(refused('invalid_scope'));
    await expect(exchange(access_token, { audience: demo.tenants.rival.issuer })).rejects.toEqual(
      refused('invalid_target'),
    );
  });

  test('An ID token, a refresh token and a token of another tenant are rejected as subject tokens.', async () => {
    const rival = await signIn(demo, demo.tenants.rival, demo.tenants.rival.users.alice);
    for (const token of [alice.tokens.id_token, alice.tokens.refresh_token, rival.tokens.access_token]) {
      await expect(exchange(token ?? '')).rejects.toEqual(refused('invalid_request'));
    }
  });

  test('A token exchanged with a proof is bound to the key of the service and is rejected without it.', async () => {
    const handle = client.getDPoPHandle(api, await client.randomDPoPKeyPair());
    const { access_token, token_type } = await client.genericGrantRequest(
      api,
      exchangeGrant,
      { subject_token: alice.tokens.access_token, subject_token_type: accessTokenType },
      { DPoP: handle },
    );
    expect(token_type).toBe('dpop');
    expect((await client.fetchUserInfo(api, access_token, alice.subject, { DPoP: handle })).sub).toBe(
      alice.subject,
    );
    expect((await graph(demo, access_token, meQuery)).status).toBe(401);
    // The binding cannot be removed by a further exchange.
    await expect(exchange(access_token)).rejects.toEqual(refused('invalid_request'));
  });

  test('An exchanged token ends everywhere when the user leaves.', async () => {
    const scim = new ScimClient(tenant, tenant.clients.scim.token);
    const user = { userName: unique('mallory'), password: 'a long enough password' };
    const { id } = await scim.createUser({ ...user, active: true });
    const person = await eventually(
      () => signIn(demo, tenant, user).catch(() => undefined),
      (signedIn) => signedIn !== undefined,
    );
    const { access_token } = await exchange(person?.tokens.access_token ?? '');
    expect((await graph(demo, access_token, meQuery)).status).toBe(200);
    await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }]);
    await eventually(
      async () => (await graph(demo, access_token, meQuery)).status,
      (status) => status === 401,
    );
    await expect(exchange(access_token)).rejects.toEqual(refused('invalid_request'));
  });
});

describe('assertions (RFC 7523)', () => {
  test('An administrator trusts an issuer over the graph, its assertion gives a token, and withdrawing the trust ends it.', async () => {
    const admin = await adminToken(tenant);
    const registered = await graph(
      demo,
      admin,
      `mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } clientSecret } }`,
      { input: { name: 'Partner app', grantTypes: [bearerGrant], scopes: ['openid', 'profile'] } },
    );
    const { client: app, clientSecret } = registered.data.registerClient;

    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const jwk = { ...(await exportJWK(publicKey)), kid: 'partner-1', alg: 'ES256' };
    const issuer = `https://${unique('partner')}.example`;
    const trusted = await graph(
      demo,
      admin,
      `mutation ($input: CreateTrustedIssuerInput!) { createTrustedIssuer(input: $input) { trustedIssuer { id issuer } } }`,
      {
        input: {
          name: 'Partner',
          issuer,
          jwks: JSON.stringify({ keys: [jwk] }),
          clientIds: [app.id],
          scopes: ['openid', 'profile'],
        },
      },
    );
    expect(trusted.errors).toEqual([]);
    const { id } = trusted.data.createTrustedIssuer.trustedIssuer;
    await bindUserName(demo, tenant, id, tenant.users.bob.userName);
    const sign = (subject: string) => assertionOf(issuer, subject, privateKey);

    const config = await discover(tenant, app.id, clientSecret);
    const assertion = await sign(tenant.users.bob.userName);
    const tokens = await client.genericGrantRequest(config, bearerGrant, { assertion });
    expect(tokens.scope).toBe('openid profile');
    const userinfo = await client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck);
    expect(userinfo.preferred_username).toBe(tenant.users.bob.userName);
    await expect(client.genericGrantRequest(config, bearerGrant, { assertion })).rejects.toEqual(
      refused('invalid_grant'),
    );

    const rivalAdmin = await adminToken(demo.tenants.rival);
    const remove = `mutation ($id: ID!) { deleteTrustedIssuer(input: { id: $id }) { trustedIssuerId } }`;
    expect((await graph(demo, rivalAdmin, remove, { id })).errors[0]?.extensions?.code).toBe('NOT_FOUND');
    expect((await graph(demo, admin, remove, { id })).errors).toEqual([]);
    await eventually(
      async () => (await graph(demo, tokens.access_token, meQuery)).status,
      (status) => status === 401,
    );
    const again = await sign(tenant.users.bob.userName);
    await expect(client.genericGrantRequest(config, bearerGrant, { assertion: again })).rejects.toEqual(
      refused('invalid_grant'),
    );
  });

  test('A service account gets a token with its own key and without a client.', async () => {
    const admin = await adminToken(tenant);
    const created = await graph(
      demo,
      admin,
      `mutation { createServiceAccount(input: { name: "Robot", scopes: ["users:read"] }) { serviceAccount { id } } }`,
    );
    const { id } = created.data.createServiceAccount.serviceAccount;
    const { publicKey, privateKey } = await generateKeyPair('EdDSA');
    const added = await graph(
      demo,
      admin,
      `mutation ($input: AddServiceAccountKeyInput!) { addServiceAccountKey(input: $input) { publicKey { id } } }`,
      {
        input: {
          serviceAccountId: id,
          jwk: JSON.stringify({ ...(await exportJWK(publicKey)), kid: 'robot-1' }),
        },
      },
    );
    expect(added.errors).toEqual([]);
    const assertion = await new SignJWT({ jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: 'EdDSA', kid: 'robot-1' })
      .setIssuer(id)
      .setSubject(id)
      .setAudience(tenant.issuer)
      .setIssuedAt()
      .setExpirationTime('2m')
      .sign(privateKey);
    const config = await discover(tenant, id);
    const { access_token, scope } = await client.genericGrantRequest(config, bearerGrant, { assertion });
    expect(scope).toBe('users:read');
    const users = await graph(demo, access_token, '{ users(first: 1) { totalCount } }');
    expect(users.data.users.totalCount).toBeGreaterThan(0);
    const remove = `mutation ($id: ID!) { deleteServiceAccount(input: { id: $id }) { __typename } }`;
    expect((await graph(demo, admin, remove, { id })).errors).toEqual([]);
    await eventually(
      async () => (await graph(demo, access_token, '{ users(first: 1) { totalCount } }')).status,
      (status) => status === 401,
    );
  });
});
