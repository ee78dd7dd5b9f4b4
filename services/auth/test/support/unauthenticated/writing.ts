import { afterAll, beforeAll } from '@jest/globals';
import { type ChallengedRoute, challengeRoutes, Prover, recordRoutes } from '@ostiary/access/testing';
import { signInFailures } from '../../../src/platform/limits/domain/shared-limits.ts';
import { type Browser, hiddenFields } from '../sign-in/browser.ts';
import {
  authorizeUrl,
  callback,
  rival,
  startTestService,
  type TestService,
  tenant,
} from '../sign-in/service.ts';

export const limits = {
  SIGN_INS_WAITING: 20,
  PUSHED_REQUESTS_PER_MINUTE: 20,
  REQUEST_URIS_PER_MINUTE: 20,
  DEVICE_REQUESTS_PER_MINUTE: 20,
  DPOP_PROOFS_PER_MINUTE: 20,
  SIGN_IN_TENANT_FAILURES: 80,
};
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

const routes = recordRoutes();
export let service: TestService;
export let web: Awaited<ReturnType<TestService['client']>>;
export let device: Awaited<ReturnType<TestService['client']>>;
let prover: Prover;
export let answers: ChallengedRoute[];

/**
 * Starts a process with small limits and two clients, and records the response of each route to a request without a
 * token.
 */
export function setUpUnauthenticated(): void {
  beforeAll(async () => {
    service = await startTestService({
      env: {
        ...Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, String(value)])),
        OUTGOING_ALLOW_PRIVATE: 'true',
      },
    });
    web = await service.client();
    device = await service.client({ grant_types: [deviceGrant], redirect_uris: [], scope: 'openid' });
    prover = await Prover.create();
    prover.nonce = await service.deps.proofs.nonce();
    answers = await challengeRoutes(service.origin, routes, {
      fill: { tenant, clientId: 'x', id: '01990000-0000-7000-8000-000000000000' },
    });
    // The service's own data exists from here on: keys, and stored tenants.
    await service.deps.tenants.find(rival);
  });
  afterAll(() => service?.stop());
}

/** Number of addresses used so far; each is in a different network. */
let addresses = 0;
export const newAddress = (): string => {
  addresses += 1;
  return `10.7.${addresses >> 8}.${addresses & 255}`;
};

export type Send = (address: string) => Promise<number>;

/** One way of storing data. */
export interface Writing {
  what: string;
  /** Maximum number of requests of one address that store data in a burst, and the rate per second after it. */
  bound: number;
  perSecond: number;
  /** Maximum number of Redis keys and rows per request. */
  keys: number;
  rows: number;
  /** Maximum size of a key in bytes, and maximum lifetime in seconds. */
  bytes: number;
  seconds: number;
  /** Seconds by which each request beyond the limit extends the lifetime of a counter. */
  secondsEach?: number;
  /** Prepares the requests as another caller, up to the limit, and returns the function that sends one. */
  prepare: () => Promise<Send>;
}

export const form = async (path: string, fields: Record<string, string>, headers: Record<string, string>) => {
  const response = await fetch(service.origin + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers,
  });
  await response.text();
  return response.status;
};
export const from = (address: string) => ({ 'x-forwarded-for': address });

/** Request of the maximum size. */
export const long = 'x'.repeat(2_000);
export const longRequest = () =>
  authorizeUrl(web, { state: long, nonce: long, login_hint: long, ui_locales: long, prompt: 'login' });

/** Starts a sign-in at the path. */
export const opening =
  (path: () => string): Writing['prepare'] =>
  async () =>
  async (address) =>
    (await service.browser().get(path(), from(address))).status;

/** Opens the sign-in page in a browser, which requires no credentials. */
export async function atSignIn(): Promise<{ browser: Browser; fields: Record<string, string> }> {
  const browser = service.browser();
  const begun = await browser.get(authorizeUrl(web), from(newAddress()));
  const page = await browser.follow(begun);
  return { browser, fields: hiddenFields(page) };
}

/** Sends a sign-in form, each time with other input. */
export const guessing =
  (path: string, guess: () => Record<string, string>): Writing['prepare'] =>
  async () => {
    const { browser, fields } = await atSignIn();
    return async (address) =>
      (await browser.post(`/t/${tenant}/${path}`, { ...fields, ...guess() }, from(address))).status;
  };

export const counter = { keys: 1, rows: 0, bytes: 400, seconds: 1_900 };
export const interaction = {
  bound: limits.SIGN_INS_WAITING,
  perSecond: 4,
  keys: 1,
  rows: 0,
  seconds: 1_900,
  secondsEach: 90,
};
export const guesses = {
  bound: signInFailures.address(limits.SIGN_IN_TENANT_FAILURES).free,
  perSecond: 1,
  // Counters of the address and the tenant; one row per named account, and one in the sign-in log.
  keys: 1,
  rows: 2,
  bytes: 400,
  seconds: 1_900,
};
export const proofs = (path: string, more: Record<string, string>): Writing => ({
  what: 'a mark of the proof',
  bound: limits.DPOP_PROOFS_PER_MINUTE,
  perSecond: 0,
  keys: 1,
  rows: 0,
  bytes: 400,
  seconds: 480,
  prepare: async () => async (address) => {
    const dpop = await prover.proof('POST', `${service.deps.issuer(tenant)}/${path}`);
    const fields = { client_id: web.clientId, ...more };
    return form(`/t/${tenant}/${path}`, fields, { ...from(address), dpop });
  },
});

export const proofsAtToken = proofs('token', {
  grant_type: 'authorization_code',
  code: 'nonsense',
  redirect_uri: callback,
  code_verifier: 'v'.repeat(43),
});

export const account = (path: string): Writing => ({
  what: 'the page to come back to',
  ...interaction,
  bytes: 2_000,
  prepare: opening(() => `/t/${tenant}/${path}`),
});
/** Sends a form of a page that the sender has not opened. */
export const accountForm = (path: string): Writing => ({
  ...account(path),
  prepare: async () => (address) => form(`/t/${tenant}/${path}`, { csrf: 'x' }, from(address)),
});
