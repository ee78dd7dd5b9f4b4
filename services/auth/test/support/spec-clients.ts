import { afterAll, beforeAll, expect } from '@jest/globals';
import {
  type Answer,
  type Backend,
  createBackend,
  type Fields,
  issueCode,
  publicClient,
  type RunningAuth,
  register,
  startAuth,
} from './running-auth.ts';

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

export const callback = 'http://127.0.0.1:8123/callback';

export let backend: Backend;
export let auth: RunningAuth;

/** A process that forgives no repeated refresh. */
export let strict: RunningAuth;
/** A process whose codes live a second. */
export let brief: RunningAuth;
export let web: string;
export let tv: string;
export let machine: readonly [string, string];

/** Two processes, and a client of each kind that the tables speak of. */
export function setUpSpecClients(): void {
  beforeAll(async () => {
    backend = await createBackend();
    auth = await startAuth(backend);
    strict = await startAuth(backend, {
      publicOrigin: auth.origin,
      env: { REFRESH_RETRY_WINDOW_SECONDS: '0' },
    });
    brief = await startAuth(backend, {
      publicOrigin: auth.origin,
      env: { AUTHORIZATION_CODE_TTL_SECONDS: '1', DEVICE_CODE_TTL_SECONDS: '1' },
    });
    web = (await register(auth, publicClient)).client.clientId;
    tv = (
      await register(auth, {
        token_endpoint_auth_method: 'none',
        grant_types: [deviceGrant, 'refresh_token'],
        redirect_uris: [],
        scope: 'openid profile offline_access',
      })
    ).client.clientId;
    const { client, clientSecret } = await register(auth, {
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope: 'users:read users:write',
    });
    machine = [client.clientId, clientSecret ?? ''];
  });
  afterAll(async () => {
    await brief?.stop();
    await strict?.stop();
    await auth?.stop();
    await backend?.drop();
  });
}

export const token = (fields: Fields | string, o?: Parameters<RunningAuth['post']>[2], at = auth) =>
  at.post('/t/demo/token', fields, o);

export const error = (answer: Answer) => [answer.status, answer.body.error];

/** Tokens of a person who signed in to the public client. */
export async function codeTokens(at = auth): Promise<Record<string, unknown>> {
  const { form } = await issueCode(at, web);
  const answer = await token(form, {}, at);
  expect(answer.status).toBe(200);
  return answer.body;
}
