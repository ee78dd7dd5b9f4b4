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
  signedIn,
  startAuth,
} from './running-auth.ts';

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

export const callback = 'http://127.0.0.1:8123/callback';

export let backend: Backend;
export let auth: RunningAuth;

/** Process without a retry window. */
export let strict: RunningAuth;
/** Process whose codes expire after one second. */
export let brief: RunningAuth;
export let web: string;
export let tv: string;
export let machine: readonly [string, string];

/** Starts the processes, and registers a client of each kind in the tables. */
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
      token_endpoint_auth_method: 'client_secret_basic',
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

/** Returns tokens of a user who signed in to the public client. */
export async function codeTokens(at = auth): Promise<Record<string, unknown>> {
  const { form } = await issueCode(at, web);
  const answer = await token(form, {}, at);
  expect(answer.status).toBe(200);
  return answer.body;
}

export const machineToken = (fields: Fields = {}) =>
  token({ grant_type: 'client_credentials', ...fields }, { basic: machine });

export const refresh = (refreshToken: unknown, fields: Fields = {}, at = auth) =>
  token(
    { grant_type: 'refresh_token', refresh_token: String(refreshToken), client_id: web, ...fields },
    {},
    at,
  );

export async function deviceCodes(at = auth): Promise<{ deviceCode: string; userCode: string }> {
  const { body } = await at.post('/t/demo/device_authorization', { client_id: tv });
  return { deviceCode: String(body.device_code), userCode: String(body.user_code) };
}

export const poll = (deviceCode: string | undefined, fields: Fields = {}) =>
  token({ grant_type: deviceGrant, device_code: deviceCode, client_id: tv, ...fields });

export async function answerDevice(userCode: string, answer: 'allow' | 'deny'): Promise<void> {
  const { deviceCodes } = auth.deps;
  const device = await deviceCodes.find('demo', userCode);
  if (!device) throw new Error('no device waits with this code');
  if (answer === 'deny') await deviceCodes.deny('demo', device);
  else {
    await deviceCodes.approve(device, {
      ...(await signedIn(auth)),
      clientId: tv,
      clientEpoch: 0,
      subjectEpoch: 0,
      withdrawals: 0,
      scopes: ['openid', 'profile'],
      resources: [],
      authTime: Math.floor(Date.now() / 1000),
      amr: ['pwd'],
    });
  }
}
