import { invalidClient, tenantSuspended, wrongClientAuthMethod } from '../../../platform/index.ts';
import type { Client } from '../client.ts';
import { isFapi2, isFapi2Algorithm } from '../client-profile.ts';
import type { ClientRecord } from '../clients.ts';
import { type AssertionAlgorithm, privateKeyAlgorithms, secretAlgorithms } from './assertion-algorithms.ts';
import type { AssertionVerification } from './assertion-verification.ts';
import {
  checkAssertionClaims,
  isSignedByOneOf,
  readSignedAssertion,
  type SignedAssertion,
} from './signed-assertion.ts';

/** `client_assertion_type` (RFC 7523 §2.2). */
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** A presented assertion, parsed but not verified. */
export interface ClientAssertion extends SignedAssertion {
  /** Client that the assertion claims to be from. */
  clientId: string;
  method: 'private_key_jwt' | 'client_secret_jwt';
}

const types: ReadonlySet<unknown> = new Set([undefined, 'jwt', 'client-authentication+jwt']);
const algorithms: readonly AssertionAlgorithm[] = [...privateKeyAlgorithms, ...secretAlgorithms];
const refuse = (reason: string) => invalidClient(`assertion: ${reason}`);

/**
 * Parses a client assertion without verifying it.
 * @throws OAuthError invalid_client for a malformed assertion or an unsupported algorithm
 */
export function readAssertion(text: string): ClientAssertion {
  const read = readSignedAssertion(text, { types, algorithms, refuse });
  const { sub, iss } = read.claims;
  // RFC 7523 §3: both are the client.
  if (typeof sub !== 'string' || sub === '' || iss !== sub) throw refuse('iss and sub are not the client');
  return {
    ...read,
    clientId: sub,
    method: read.alg.startsWith('HS') ? 'client_secret_jwt' : 'private_key_jwt',
  };
}

/**
 * Returns the client that an assertion authenticates (RFC 7523 §3, OpenID Connect Core §9): registered for this method
 * and algorithm, signed by one of its keys or live secrets, with only this server as audience, and not used before.
 * @param audiences identifiers of this server; a single string must equal `aud`
 * @throws OAuthError invalid_client, the same for every cause; ServiceUnavailable when the store of used ids is
 * unavailable
 */
export async function authenticateAssertion(
  assertion: ClientAssertion,
  record: ClientRecord | null,
  audiences: readonly string[] | string,
  nowMs: number,
  o: AssertionVerification,
): Promise<Client> {
  if (!record) throw invalidClient('unknown client');
  const { client } = record;
  if (client.tokenEndpointAuthMethod !== assertion.method) {
    throw wrongClientAuthMethod({ registered: client.tokenEndpointAuthMethod, used: assertion.method });
  }
  const { token_endpoint_auth_signing_alg: registered } = client.metadata;
  if (registered !== undefined && registered !== assertion.alg) {
    throw invalidClient(`registered for ${String(registered)}`);
  }
  if (isFapi2(client) && !isFapi2Algorithm(assertion.alg)) throw refuse('alg is not allowed by its profile');
  const { jti, livesMs } = checkAssertionClaims(assertion, audiences, nowMs, refuse);
  const keys =
    assertion.method === 'client_secret_jwt' ? liveSecrets(record, nowMs) : await o.keysOf(client, assertion);
  if (!(await isSignedByOneOf(assertion, keys))) throw invalidClient('wrong signature');
  if (client.suspended) throw tenantSuspended();
  if (client.disabled) throw invalidClient('client is disabled');
  // Checked last: only the client itself can use up its assertion.
  if (!(await o.remember(client, jti, livesMs))) throw refuse('used before');
  return client;
}

function liveSecrets(record: ClientRecord, nowMs: number): Uint8Array[] {
  return record.secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > nowMs)
    .flatMap(({ reveal }) => (reveal ? [Buffer.from(reveal())] : []));
}
