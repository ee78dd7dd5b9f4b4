import { afterEach, beforeAll, expect } from '@jest/globals';
import { type Answer, type Fields, type RunningAuth, register, signedIn } from './running-auth.ts';
import { auth, backend, setUpTwoProcesses } from './two-processes.ts';

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

export const scope = 'openid profile email offline_access';

export const deviceClient = {
  token_endpoint_auth_method: 'none',
  grant_types: [deviceGrant, 'refresh_token'],
  redirect_uris: [],
  scope: `${scope} users:read`,
};

export let tv: string;
export let box: { id: string; secret: string };

/** Starts two processes, with a public and a confidential client for devices. */
export function setUpDevices(): void {
  setUpTwoProcesses();

  beforeAll(async () => {
    tv = (await register(auth, deviceClient)).client.clientId;
    const { client, clientSecret } = await register(auth, {
      ...deviceClient,
      token_endpoint_auth_method: 'client_secret_basic',
    });
    box = { id: client.clientId, secret: clientSecret ?? '' };
  });

  /** Deletes the devices of earlier tests, so that exactly one record exists. */
  afterEach(async () => {
    const keys = await auth.deps.redis.keys(`${backend.prefix}:auth:device_code:*`);
    if (keys.length > 0) await auth.deps.redis.del(...keys);
  });
}

export const start = (fields: Fields = {}, tenant = 'demo') =>
  auth.post(`/t/${tenant}/device_authorization`, { client_id: tv, scope, ...fields });

interface Started {
  deviceCode: string;
  userCode: string;
}

export const started = async (fields: Fields = {}): Promise<Started> => {
  const { status, body } = await start(fields);
  expect(status).toBe(200);
  return { deviceCode: String(body.device_code), userCode: String(body.user_code) };
};

export const poll = (deviceCode: string, o: { at?: RunningAuth; client?: string; tenant?: string } = {}) =>
  (o.at ?? auth).post(`/t/${o.tenant ?? 'demo'}/token`, {
    grant_type: deviceGrant,
    device_code: deviceCode,
    client_id: o.client ?? tv,
  });

export const error = (answer: Answer) => [answer.status, answer.body.error];

/** Approves a device as a user, like the page does. */
export async function allow(userCode: string, at = auth, scopes = scope.split(' ')) {
  const person = await signedIn(at);
  const device = await at.deps.deviceCodes.find('demo', userCode);
  if (!device) throw new Error('no device waits with this code');
  const outcome = await at.deps.deviceCodes.approve(device, {
    ...person,
    clientId: device.clientId,
    clientEpoch: 0,
    subjectEpoch: 0,
    withdrawals: 0,
    scopes,
    resources: device.resources,
    authTime: Math.floor(Date.now() / 1000),
    amr: ['pwd'],
  });
  return { ...person, outcome };
}

/** Returns the device's record, so that a test can read its interval and advance its time. */
export async function record(): Promise<string> {
  const keys = await auth.deps.redis.keys(`${backend.prefix}:auth:device_code:*`);
  const ids = await Promise.all(keys.map(async (key) => [key, await auth.deps.redis.ttl(key)] as const));
  return ids.sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';
}
