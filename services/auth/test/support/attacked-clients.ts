import { afterAll, beforeAll, expect } from '@jest/globals';
import {
  type Answer,
  type Backend,
  challenge,
  createBackend,
  type Fields,
  issueCode,
  publicClient,
  type RunningAuth,
  register,
  startAuth,
} from './running-auth.ts';
import type { Browser } from './sign-in/browser.ts';
import { signedInBrowser } from './signed-in-browser.ts';

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const callback = 'http://127.0.0.1:8123/callback';
const api = ['https://api.example', 'https://b.example'];

export let backend: Backend;
/** Trusts no proxy on this machine. */
export let auth: RunningAuth;
/** The same issuer, without a retry window, trusting a proxy on this machine. */
export let twin: RunningAuth;
/** Public client with every grant type that involves a user. */
export let web: string;
export let other: string;
export let machine: readonly [string, string];
export let confidential: readonly [string, string];

/** Starts two processes, and registers the clients that are attacked. */
export function setUpAttackedClients(): void {
  beforeAll(async () => {
    backend = await createBackend();
    auth = await startAuth(backend, { env: { TRUSTED_PROXIES: '192.0.2.1' } });
    twin = await startAuth(backend, {
      publicOrigin: auth.origin,
      env: { REFRESH_RETRY_WINDOW_SECONDS: '0', TRUSTED_PROXIES: '127.0.0.1' },
    });
    const everything = {
      ...publicClient,
      require_consent: false,
      grant_types: ['authorization_code', 'refresh_token', deviceGrant],
      resources: api,
    };
    web = (await register(auth, everything)).client.clientId;
    other = (await register(auth, everything)).client.clientId;
    const robot = {
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope: 'users:read groups:read',
      protected_resources: ['urn:ostiary:tenant-api'],
    };
    machine = credentials(await register(auth, robot));
    confidential = credentials(
      await register(auth, { ...everything, token_endpoint_auth_method: 'client_secret_basic' }),
    );
  });

  afterAll(async () => {
    await twin?.stop();
    await auth?.stop();
    await backend?.drop();
  });
}

const credentials = (made: Awaited<ReturnType<typeof register>>) =>
  [made.client.clientId, made.clientSecret ?? ''] as const;
export const token = (fields: Fields | string, o?: Parameters<RunningAuth['post']>[2], at = auth) =>
  at.post('/t/demo/token', fields, o);
export const refreshing = (refreshToken: unknown, clientId = web): Fields => ({
  grant_type: 'refresh_token',
  refresh_token: String(refreshToken),
  client_id: clientId,
});
export const error = (answer: Answer) => [answer.status, answer.body.error];
export const userinfo = async (accessToken: unknown, at = auth) =>
  (await at.get('/t/demo/userinfo', { authorization: `Bearer ${accessToken}` })).status;
export const introspect = async (value: unknown, at = auth) =>
  (await at.post('/t/demo/introspect', { token: String(value) }, { basic: machine })).body;
export const invalidGrant = [400, 'invalid_grant'];

export async function granted(o: Parameters<typeof issueCode>[2] = {}) {
  const { body, status } = await token((await issueCode(auth, web, o)).form);
  expect(status).toBe(200);
  return body;
}

export const device = async (fields: Fields = {}) =>
  auth.post('/t/demo/device_authorization', { client_id: web, scope: 'openid', ...fields });

export const authorization = (fields: Fields = {}): Fields => ({
  client_id: web,
  response_type: 'code',
  redirect_uri: callback,
  scope: 'openid profile',
  state: 'the-state',
  code_challenge: challenge('v'.repeat(43)),
  code_challenge_method: 'S256',
  ...fields,
});

export const query = (fields: Fields): string =>
  Object.entries(fields)
    .flatMap(([name, value]) => [value].flat().map((one) => `${name}=${encodeURIComponent(String(one))}`))
    .join('&');
export const authorize = async (fields: Fields, headers: Record<string, string> = {}, browser?: Browser) =>
  (browser ?? (await signedInBrowser(auth))).get(
    `/t/demo/authorize?${query(authorization(fields))}`,
    headers,
  );
export const answered = (location: string | undefined) => new URL(location ?? '').searchParams;
