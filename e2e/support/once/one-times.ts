import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { Prover } from '@ostiary/access/testing';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as client from 'openid-client';
import { Browser } from '../browser.ts';
import { type DemoTenant, unique } from '../demo.ts';
import { graph } from '../graph.ts';
import { bindUserName } from '../issuer-subjects.ts';
import type { OwnSystem } from '../own-system.ts';
import { adminToken, authorize, discover, signIn, walk } from '../sign-in.ts';
import { answered, type Redeem, type Redemption, tokenRequest } from './redemptions.ts';

/** A single-use credential: how it is obtained and redeemed, and its successful answer. */
export interface OneTime {
  name: string;
  get(): Promise<Redeem>;
  succeeded(answer: Redemption): boolean;
  /** Answer to every other attempt. */
  refusal: { status: number; error?: string };
}

const scope = 'openid offline_access';
const bearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export const issued = (answer: Redemption): boolean =>
  answer.status === 200 && answer.body.access_token !== undefined;
const invalidGrant = { status: 400, error: 'invalid_grant' };

const tenantOf = (own: OwnSystem): DemoTenant => own.demo.tenants.demo;

/** Executes a mutation as administrator. */
async function change(own: OwnSystem, mutation: string, input: object) {
  const { data, errors } = await graph(own.demo, await adminToken(tenantOf(own)), mutation, { input });
  expect(errors).toEqual([]);
  return data;
}

async function newKey() {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { jwk: { ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'k' }, privateKey };
}

/** Returns an assertion for this server, valid for two minutes. */
const assertion = (
  own: OwnSystem,
  key: Awaited<ReturnType<typeof newKey>>,
  issuer: string,
  subject: string,
): Promise<string> =>
  new SignJWT({ jti: randomUUID() })
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .setIssuer(issuer)
    .setSubject(subject)
    .setAudience(tenantOf(own).issuer)
    .setIssuedAt()
    .setExpirationTime('2 minutes')
    .sign(key.privateKey);

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});

const authorizationCode = (own: () => OwnSystem): OneTime => ({
  name: 'an authorization code',
  async get() {
    const { callback, verifier } = await authorize(own().demo, tenantOf(own()), tenantOf(own()).users.alice, {
      scope,
    });
    return tokenRequest({
      grant_type: 'authorization_code',
      client_id: tenantOf(own()).clients.web.client_id,
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: `${callback.origin}${callback.pathname}`,
      code_verifier: verifier,
    });
  },
  succeeded: issued,
  refusal: invalidGrant,
});

const refreshToken = (own: () => OwnSystem): OneTime => ({
  name: 'a refresh token',
  async get() {
    const { tokens } = await signIn(own().demo, tenantOf(own()), tenantOf(own()).users.bob, { scope });
    return tokenRequest({
      grant_type: 'refresh_token',
      client_id: tenantOf(own()).clients.web.client_id,
      refresh_token: tokens.refresh_token ?? '',
    });
  },
  succeeded: issued,
  refusal: invalidGrant,
});

const deviceCode = (own: () => OwnSystem): OneTime => ({
  name: 'a device code',
  async get() {
    const { client_id } = tenantOf(own()).clients.device;
    const device = await client.initiateDeviceAuthorization(await discover(tenantOf(own()), client_id), {
      scope,
    });
    const link = new URL(device.verification_uri_complete ?? '');
    const page = await walk(new Browser(own().demo.origin), link, tenantOf(own()).users.alice);
    expect([page.status, page.url.pathname]).toEqual([200, '/t/demo/device/finished']);
    return tokenRequest({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id,
      device_code: device.device_code,
    });
  },
  succeeded: issued,
  refusal: invalidGrant,
});

const pushedRequest = (own: () => OwnSystem): OneTime => ({
  name: 'a pushed authorization request',
  async get() {
    const { client_id, client_secret } = tenantOf(own()).clients.webapp;
    const request = {
      client_id,
      response_type: 'code',
      redirect_uri: 'http://127.0.0.1:8400/callback',
      scope,
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    };
    // The code uses the request up, so the user has signed in and consented before.
    const browser = new Browser(own().demo.origin);
    const address = new URL(`${tenantOf(own()).issuer}/authorize?${new URLSearchParams(request)}`);
    await walk(browser, address, tenantOf(own()).users.alice);
    const pushed = await fetch(`${tenantOf(own()).issuer}/par`, {
      method: 'POST',
      body: new URLSearchParams(request),
      headers: {
        authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
      },
    });
    const { request_uri } = (await pushed.json()) as { request_uri: string };
    const query = new URLSearchParams({ client_id, request_uri });
    const cookie = await browser.cookies.getCookieString(address.href);
    return (origin) => answered(`${origin}/t/demo/authorize?${query}`, { headers: { cookie } });
  },
  succeeded: (answer) => answer.status === 303 && (answer.location ?? '').includes('?code='),
  refusal: { status: 400 },
});

const clientAssertion = (own: () => OwnSystem): OneTime => ({
  name: 'the jti of a client assertion',
  async get() {
    const key = await newKey();
    const { registerClient } = await change(
      own(),
      'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } } }',
      {
        name: unique('machine'),
        tokenEndpointAuthMethod: 'PRIVATE_KEY_JWT',
        grantTypes: ['client_credentials'],
        scopes: ['users:read'],
        jwks: JSON.stringify({ keys: [key.jwk] }),
      },
    );
    const { id } = registerClient.client;
    return tokenRequest({
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await assertion(own(), key, id, id),
    });
  },
  succeeded: issued,
  refusal: { status: 401, error: 'invalid_client' },
});

const serviceAccountAssertion = (own: () => OwnSystem): OneTime => ({
  name: 'the jti of an assertion by which a service account gets a token',
  async get() {
    const key = await newKey();
    const { createServiceAccount } = await change(
      own(),
      'mutation ($input: CreateServiceAccountInput!) { createServiceAccount(input: $input) { serviceAccount { id } } }',
      { name: unique('robot'), scopes: ['users:read'] },
    );
    const { id } = createServiceAccount.serviceAccount;
    await change(
      own(),
      'mutation ($input: AddServiceAccountKeyInput!) { addServiceAccountKey(input: $input) { publicKey { id } } }',
      { serviceAccountId: id, jwk: JSON.stringify(key.jwk) },
    );
    return tokenRequest({ grant_type: bearerGrant, assertion: await assertion(own(), key, id, id) });
  },
  succeeded: issued,
  refusal: invalidGrant,
});

const trustedIssuerAssertion = (own: () => OwnSystem): OneTime => ({
  name: 'the jti of a trusted issuer’s assertion about a person',
  async get() {
    const key = await newKey();
    const { registerClient } = await change(
      own(),
      'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } clientSecret } }',
      { name: unique('partner app'), grantTypes: [bearerGrant], scopes: ['openid', 'profile'] },
    );
    const issuer = `https://${unique('partner')}.example`;
    const { createTrustedIssuer } = await change(
      own(),
      'mutation ($input: CreateTrustedIssuerInput!) { createTrustedIssuer(input: $input) { trustedIssuer { id } } }',
      {
        name: 'Partner',
        issuer,
        jwks: JSON.stringify({ keys: [key.jwk] }),
        clientIds: [registerClient.client.id],
        scopes: ['openid', 'profile'],
      },
    );
    const { userName } = tenantOf(own()).users.bob;
    await bindUserName(own().demo, tenantOf(own()), createTrustedIssuer.trustedIssuer.id, userName);
    return tokenRequest(
      {
        grant_type: bearerGrant,
        assertion: await assertion(own(), key, issuer, tenantOf(own()).users.bob.userName),
      },
      basic(registerClient.client.id, registerClient.clientSecret),
    );
  },
  succeeded: issued,
  refusal: invalidGrant,
});

const dpopProof = (own: () => OwnSystem): OneTime => ({
  name: 'the jti of a DPoP proof',
  async get() {
    const { client_id, client_secret = '' } = tenantOf(own()).clients.admin;
    const prover = await Prover.create();
    const url = `${tenantOf(own()).issuer}/token`;
    const grant = { grant_type: 'client_credentials' };
    const headers = basic(client_id, client_secret);
    // The first answer contains the nonce.
    await prover.fetch(url, { method: 'POST', headers, body: new URLSearchParams(grant) });
    return tokenRequest(grant, { ...headers, dpop: await prover.proof('POST', url) });
  },
  succeeded: (answer) => issued(answer) && answer.body.token_type === 'DPoP',
  refusal: { status: 400, error: 'invalid_dpop_proof' },
});

/** All single-use credentials of the protocol. @param own returns the system after its start */
export const oneTimes = (own: () => OwnSystem): OneTime[] =>
  [
    authorizationCode,
    refreshToken,
    deviceCode,
    pushedRequest,
    clientAssertion,
    serviceAccountAssertion,
    trustedIssuerAssertion,
    dpopProof,
  ].map((of) => of(own));
