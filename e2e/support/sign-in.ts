import { oidcScopes, selfScopes } from '@ostiary/access';
import * as client from 'openid-client';
import { Browser, type Page } from './browser.ts';
import type { Demo, DemoTenant, DemoUser } from './demo.ts';

/** Discovers a tenant with openid-client; plain HTTP is for the demo on loopback only. */
export function discover(
  tenant: DemoTenant,
  clientId: string,
  secret?: string,
): Promise<client.Configuration> {
  return client.discovery(
    new URL(tenant.issuer),
    clientId,
    undefined,
    secret === undefined ? client.None() : client.ClientSecretBasic(secret),
    { execute: [client.allowInsecureRequests] },
  );
}

/** Metadata by issuer, which is the same for all its clients. */
const described = new Map<string, Promise<client.ServerMetadata>>();

/** Discovers each issuer only once. */
export async function discoverOnce(
  tenant: DemoTenant,
  clientId: string,
  secret?: string,
): Promise<client.Configuration> {
  const { issuer } = tenant;
  const metadata =
    described.get(issuer) ?? discover(tenant, clientId).then((config) => config.serverMetadata());
  described.set(issuer, metadata);
  // A failed discovery is tried again.
  metadata.catch(() => described.delete(issuer));
  const authentication = secret === undefined ? client.None() : client.ClientSecretBasic(secret);
  const config = new client.Configuration({ ...(await metadata) }, clientId, undefined, authentication);
  client.allowInsecureRequests(config);
  return config;
}

export interface SignedIn {
  config: client.Configuration;
  tokens: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers;
  browser: Browser;
  subject: string;
}

/** All OpenID Connect and self-service scopes, which any user may grant. */
export const everyOwnScope = Object.keys({ ...oidcScopes, ...selfScopes }).join(' ');

/** Performs sign-in and consent in the browser, and returns when the browser leaves for the client. */
export async function walk(browser: Browser, address: URL, user: DemoUser): Promise<Page> {
  let page = await browser.open(address);
  for (let step = 0; step < 4; step += 1) {
    if (page.url.origin !== address.origin) return page;
    if (page.root.querySelector('input[type=password]')) {
      page = await browser.submit(page, { username: user.userName, password: user.password });
      if (page.root.querySelector('input[type=password]')) return page;
    } else if (page.root.querySelector('form')) page = await browser.submit(page, {}, /allow/i);
    else return page;
  }
  return page;
}

/**
 * Reports whether the answer to `prompt=none` shows a session. A client on a loopback port gets no code without
 * interaction (RFC 8252 §8.6), and gets that error only if a session exists.
 */
export const isSignedIn = (answer: URLSearchParams): boolean =>
  answer.has('code') || ['interaction_required', 'consent_required'].includes(answer.get('error') ?? '');

export interface Authorization {
  config: client.Configuration;
  callback: URL;
  verifier: string;
  state: string;
  nonce: string;
  browser: Browser;
}

/** Performs the authorization request up to the redirect with the code, without redeeming it. */
export async function authorize(
  demo: Demo,
  tenant: DemoTenant,
  user: DemoUser,
  options: { scope?: string; browser?: Browser; redirectUri?: string; resource?: string } = {},
): Promise<Authorization> {
  const config = await discover(tenant, tenant.clients.web.client_id);
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const nonce = client.randomNonce();
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: options.redirectUri ?? 'http://127.0.0.1:53123/callback',
    scope: options.scope ?? everyOwnScope,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...(options.resource !== undefined && { resource: options.resource }),
  });
  const browser = options.browser ?? new Browser(demo.origin);
  const page = await walk(browser, address, user);
  if (page.url.origin === demo.origin) {
    throw new Error(
      `the sign-in ended at ${page.url.pathname}: ${page.status} ${page.root.text.trim().slice(0, 300)}`,
    );
  }
  return { config, callback: page.url, verifier, state, nonce, browser };
}

export async function redeem(authorization: Authorization): Promise<SignedIn> {
  const tokens = await client.authorizationCodeGrant(authorization.config, authorization.callback, {
    pkceCodeVerifier: authorization.verifier,
    expectedState: authorization.state,
    expectedNonce: authorization.nonce,
    idTokenExpected: true,
  });
  return {
    config: authorization.config,
    tokens,
    browser: authorization.browser,
    subject: tokens.claims()?.sub ?? '',
  };
}

/** Signs a user in to the public client `web` and redeems the code. */
export async function signIn(
  demo: Demo,
  tenant: DemoTenant,
  user: DemoUser,
  options: { scope?: string } = {},
): Promise<SignedIn> {
  return redeem(await authorize(demo, tenant, user, options));
}

/** Returns a token of the tenant's administration client. */
export async function adminToken(tenant: DemoTenant, scope?: string): Promise<string> {
  const { client_id, client_secret } = tenant.clients.admin;
  const config = await discoverOnce(tenant, client_id, client_secret);
  const { access_token } = await client.clientCredentialsGrant(config, scope === undefined ? {} : { scope });
  return access_token;
}
