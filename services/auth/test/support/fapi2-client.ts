import { beforeAll } from '@jest/globals';
import { Prover } from '@ostiary/access/testing';
import { assertionType } from '../../src/clients/domain/assertions/client-assertion.ts';
import { claimsFor, type Key, newKey, setUpAssertions, signed } from './asserting.ts';
import { type Answer, challenge, type Fields, register, verifier } from './running-auth.ts';
import { signedInBrowser } from './signed-in-browser.ts';
import { auth } from './two-processes.ts';

export const callback = 'https://bank-app.example/cb';
export const codeVerifier = verifier();

export let key: Key;
export let clientId: string;
export let prover: Prover;

export const profile = (keys: Key[], changes: object = {}) => ({
  client_profile: 'fapi2',
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: keys.map(({ jwk }) => jwk) },
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  redirect_uris: [callback],
  scope: 'openid profile offline_access users:read',
  require_consent: false,
  ...changes,
});

/** Starts two processes, and registers a client of the FAPI 2.0 profile with its keys. */
export function setUpFapi2Client(): void {
  setUpAssertions();

  beforeAll(async () => {
    key = await newKey('PS256');
    clientId = (await register(auth, profile([key]))).client.clientId;
    prover = await Prover.create('ES256');
  });
}

export const asserted = async (changes: Record<string, unknown> = {}, by = key): Promise<Fields> => ({
  client_assertion_type: assertionType,
  client_assertion: await signed(claimsFor(clientId, changes), by),
});

/** Sends a form with a proof, with the nonce that the server requires. */
export async function proven(
  path: string,
  fields: () => Promise<Fields>,
  by = prover,
  at = auth,
): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    const dpop = await by.proof('POST', `${auth.origin}${path}`);
    const answer = await at.post(path, await fields(), { headers: { dpop } });
    by.nonce = answer.headers.get('dpop-nonce') ?? by.nonce;
    if (answer.body.error !== 'use_dpop_nonce' || attempt === 1) return answer;
  }
}

export const machine = (changes: Fields = {}, assertion: Record<string, unknown> = {}) =>
  proven('/t/demo/token', async () => ({
    grant_type: 'client_credentials',
    ...(await asserted(assertion)),
    ...changes,
  }));

export const push = (fields: Fields = {}) =>
  proven('/t/demo/par', async () => ({
    ...(await asserted()),
    client_id: clientId,
    response_type: 'code',
    redirect_uri: callback,
    scope: 'openid profile offline_access',
    code_challenge: challenge(codeVerifier),
    code_challenge_method: 'S256',
    ...fields,
  }));

export async function newCode(): Promise<URL> {
  const { body } = await push();
  const query = new URLSearchParams({ client_id: clientId, request_uri: String(body.request_uri) });
  return new URL((await (await signedInBrowser(auth)).get(`/t/demo/authorize?${query}`)).location ?? '');
}

export const redeem = (code: string, changes: Fields = {}, by = prover) =>
  proven(
    '/t/demo/token',
    async () => ({
      grant_type: 'authorization_code',
      ...(await asserted()),
      code,
      redirect_uri: callback,
      code_verifier: codeVerifier,
      ...changes,
    }),
    by,
  );

export const refresh = (token: unknown, by = prover, at = auth) =>
  proven(
    '/t/demo/token',
    async () => ({ grant_type: 'refresh_token', ...(await asserted()), refresh_token: String(token) }),
    by,
    at,
  );
