import type { KeyObject } from 'node:crypto';
import { invalidClient, tenantSuspended, wrongClientAuthMethod } from '../../../protocol/index.ts';
import type { Client } from '../client.ts';
import { isFapi2, isFapi2Algorithm } from '../client-profile.ts';
import type { ClientRecord } from '../clients.ts';
import { type AssertionAlgorithm, privateKeyAlgorithms, secretAlgorithms } from './assertion-algorithms.ts';
import {
  checkAssertionClaims,
  isSignedByOneOf,
  readSignedAssertion,
  type SignedAssertion,
} from './signed-assertion.ts';

/** `client_assertion_type` (RFC 7523 §2.2). */
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** An assertion as it was presented: read, nothing verified yet. */
export interface ClientAssertion extends SignedAssertion {
  /** Whom it says it is from. */
  clientId: string;
  method: 'private_key_jwt' | 'client_secret_jwt';
}

export interface AssertionVerification {
  /** The keys that may have made this signature. Throws OAuthError invalid_client when they can't be had. */
  keysOf(client: Client, header: { alg: AssertionAlgorithm; kid?: string }): Promise<readonly KeyObject[]>;
  /**
   * Remembers an assertion; false when it was remembered before. One step, whatever else happens at the same time.
   * @param milliseconds how long it could still be presented
   */
  remember(client: Client, jti: string, milliseconds: number): Promise<boolean>;
}

const types: ReadonlySet<unknown> = new Set([undefined, 'jwt', 'client-authentication+jwt']);
const algorithms: readonly AssertionAlgorithm[] = [...privateKeyAlgorithms, ...secretAlgorithms];
const refuse = (reason: string) => invalidClient(`assertion: ${reason}`);

/**
 * Reads a client assertion without trusting it.
 * @throws OAuthError invalid_client when it isn't one, or is signed in a way this server doesn't verify
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
 * The client that an assertion authenticates (RFC 7523 §3, OpenID Connect Core §9): registered for this method and
 * algorithm, signed by one of its keys or live secrets, meant for this server alone, and never seen before.
 * @param audiences how this server may be called; a single one must be the assertion's `aud` as a string
 * @throws OAuthError invalid_client, the same for every cause; ServiceUnavailable when nobody can tell whether it was used
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
  if (isFapi2(client) && !isFapi2Algorithm(assertion.alg))
    throw refuse('an algorithm that its profile has not');
  const { jti, livesMs } = checkAssertionClaims(assertion, audiences, nowMs, refuse);
  const keys =
    assertion.method === 'client_secret_jwt' ? liveSecrets(record, nowMs) : await o.keysOf(client, assertion);
  if (!(await isSignedByOneOf(assertion, keys))) throw invalidClient('wrong signature');
  if (client.suspended) throw tenantSuspended();
  if (client.disabled) throw invalidClient('client is disabled');
  // Last: only the client itself can use up its assertion.
  if (!(await o.remember(client, jti, livesMs))) throw refuse('used before');
  return client;
}

function liveSecrets(record: ClientRecord, nowMs: number): Uint8Array[] {
  return record.secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > nowMs)
    .flatMap(({ reveal }) => (reveal ? [Buffer.from(reveal())] : []));
}
