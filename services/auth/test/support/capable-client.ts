import { afterAll, beforeAll } from '@jest/globals';
import { usualScopes } from '../../src/clients/domain/dynamic-registration.ts';
import { exchangeGrant } from './assertions.ts';
import {
  type Backend,
  basicHeader,
  createBackend,
  type RunningAuth,
  register,
  startAuth,
} from './running-auth.ts';

let backend: Backend;
export let auth: RunningAuth;
export let basic: string;
export let clientId: string;
export let initialAccessToken: string;

export const redirectUri = 'https://app.example/cb';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** Registers a client with all grant types, and creates an initial access token. */
export function setUpCapableClient(): void {
  beforeAll(async () => {
    backend = await createBackend();
    auth = await startAuth(backend, { env: { DEVICE_REQUESTS_PER_MINUTE: '1000' } });
    const { client, clientSecret = '' } = await register(auth, {
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials', deviceGrant, exchangeGrant],
      redirect_uris: [redirectUri, 'https://app.example/other'],
      scope: 'openid profile offline_access users:read',
      protected_resources: ['urn:ostiary:tenant-api'],
    });
    basic = basicHeader(client.clientId, clientSecret);
    clientId = client.clientId;
    initialAccessToken = (
      await auth.deps.registrations.createToken('demo', {
        name: 'tests',
        scopes: usualScopes,
        uses: 100,
        lifetimeSeconds: 600,
      })
    ).token;
  });
  afterAll(async () => {
    await auth?.stop();
    await backend?.drop();
  });
}

export type Pairs = (readonly [string, string])[];

export type Endpoint = 'token' | 'device_authorization' | 'par' | 'introspect' | 'revoke' | 'authorize';

export const authorization: Pairs = [
  ['response_type', 'code'],
  ['redirect_uri', redirectUri],
  ['scope', 'openid'],
  ['state', 'the-state'],
  ['code_challenge', 'a'.repeat(43)],
  ['code_challenge_method', 'S256'],
];

/** A valid request to each endpoint. */
export const requests: Record<Endpoint, Pairs> = {
  token: [
    ['grant_type', 'client_credentials'],
    ['scope', 'users:read'],
  ],
  device_authorization: [['scope', 'openid']],
  par: authorization,
  introspect: [['token', 'a-token']],
  revoke: [['token', 'a-token']],
  authorize: [['client_id', ''], ...authorization],
};

export const without = (endpoint: Endpoint, name: string): Pairs =>
  requests[endpoint].filter(([one]) => one !== name);
