import { expect } from '@jest/globals';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { assertionType } from '../../src/clients/domain/assertions/client-assertion.ts';
import { type Fields, type RunningAuth, register } from './running-auth.ts';
import { auth, setUpTwoProcesses } from './two-processes.ts';

/** Starts two processes that may fetch keys from this machine. */
export function setUpAssertions(): void {
  setUpTwoProcesses({ OUTGOING_ALLOW_PRIVATE: 'true' });
}

export interface Key {
  privateKey: Parameters<SignJWT['sign']>[0];
  jwk: JWK;
  alg: string;
}

export async function newKey(alg: string, kid: string = alg): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, alg, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

const machine = { grant_types: ['client_credentials'], redirect_uris: [], scope: 'users:read' };

/** Registers a client that authenticates with these keys. */
export async function keyed(
  keys: readonly Key[],
  o: { tenant?: string; metadata?: object } = {},
): Promise<string> {
  const { client } = await register(
    auth,
    {
      ...machine,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: keys.map(({ jwk }) => jwk) },
      ...o.metadata,
    },
    o.tenant,
  );
  return client.clientId;
}

export async function withSecret(method = 'client_secret_jwt'): Promise<{ id: string; secret: string }> {
  const { client, clientSecret } = await register(auth, { ...machine, token_endpoint_auth_method: method });
  return { id: client.clientId, secret: clientSecret ?? '' };
}

export const now = (): number => Math.floor(Date.now() / 1000);

/** Returns the claims of a valid assertion; a change to undefined omits a claim. */
export const claimsFor = (clientId: string, changes: Record<string, unknown> = {}): JWTPayload =>
  Object.fromEntries(
    Object.entries({
      iss: clientId,
      sub: clientId,
      aud: auth.issuer('demo'),
      exp: now() + 60,
      iat: now(),
      jti: crypto.randomUUID(),
      ...changes,
    }).filter(([, value]) => value !== undefined),
  );

export const signed = (
  claims: JWTPayload,
  key: Pick<Key, 'alg' | 'privateKey'>,
  header: object = {},
): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: key.alg, ...header }).sign(key.privateKey);

export const asserting = (assertion: string): Fields => ({
  grant_type: 'client_credentials',
  client_assertion_type: assertionType,
  client_assertion: assertion,
});

export const token = (
  fields: Fields,
  o: { at?: RunningAuth; tenant?: string; headers?: Record<string, string> } = {},
) => (o.at ?? auth).post(`/t/${o.tenant ?? 'demo'}/token`, fields, o.headers ? { headers: o.headers } : {});

export const refused = {
  status: 401,
  body: {
    error: 'invalid_client',
    error_description: expect.stringMatching(/^Client authentication failed/),
  },
};
