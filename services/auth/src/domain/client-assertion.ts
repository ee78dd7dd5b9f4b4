import type { KeyObject } from 'node:crypto';
import { compactVerify } from 'jose';
import { type AssertionAlgorithm, privateKeyAlgorithms, secretAlgorithms } from './assertion-algorithms.ts';
import type { ClientRecord } from './clients.ts';
import { invalidClient } from './errors.ts';
import { decodeJwt } from './jwt.ts';
import type { Client } from './ports.ts';

/** `client_assertion_type` (RFC 7523 §2.2). */
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** An assertion as it was presented: read, nothing verified yet. */
export interface ClientAssertion {
  /** Whom it says it is from. */
  clientId: string;
  method: 'private_key_jwt' | 'client_secret_jwt';
  alg: AssertionAlgorithm;
  kid?: string;
  claims: Readonly<Record<string, unknown>>;
  text: string;
}

export interface AssertionVerification {
  /** The keys that may have made this signature. Throws OAuthError invalid_client when they can't be had. */
  keysOf(client: Client, header: { alg: AssertionAlgorithm; kid?: string }): Promise<readonly KeyObject[]>;
  /**
   * Remembers an assertion until it has expired; false when it was remembered before. One step, whatever else happens
   * at the same time.
   * @param untilMs Unix ms
   */
  remember(client: Client, jti: string, untilMs: number): Promise<boolean>;
}

/** Seconds by which a client's clock may be wrong. */
const skew = 30;
/** Seconds an assertion may live: as long must its id be remembered. */
const longestLife = 3_600;
const types: ReadonlySet<unknown> = new Set([undefined, 'jwt', 'client-authentication+jwt']);

/**
 * Reads a client assertion without trusting it.
 * @throws OAuthError invalid_client when it isn't one, or is signed in a way this server doesn't verify
 */
export function readAssertion(text: string): ClientAssertion {
  const decoded = decodeJwt(text);
  if (!decoded) throw invalidClient('malformed assertion');
  const { header, payload } = decoded;
  const typ =
    typeof header.typ === 'string' ? header.typ.toLowerCase().replace(/^application\//, '') : header.typ;
  if (!types.has(typ) || header.crit !== undefined || header.b64 !== undefined) {
    throw invalidClient('assertion is of another type');
  }
  const alg = [...privateKeyAlgorithms, ...secretAlgorithms].find((known) => known === header.alg);
  if (alg === undefined) throw invalidClient('assertion has another algorithm');
  if (header.kid !== undefined && typeof header.kid !== 'string') throw invalidClient('malformed kid');
  const { sub, iss } = payload;
  // RFC 7523 §3: both are the client.
  if (typeof sub !== 'string' || sub === '' || iss !== sub)
    throw invalidClient('iss and sub are not the client');
  return {
    clientId: sub,
    method: alg.startsWith('HS') ? 'client_secret_jwt' : 'private_key_jwt',
    alg,
    ...(header.kid === undefined ? {} : { kid: header.kid }),
    claims: payload,
    text,
  };
}

/**
 * The client that an assertion authenticates (RFC 7523 §3, OpenID Connect Core §9): registered for this method and
 * algorithm, signed by one of its keys or live secrets, meant for this server alone, and never seen before.
 * @param audiences how this server may be called
 * @throws OAuthError invalid_client, the same for every cause; ServiceUnavailable when nobody can tell whether it was used
 */
export async function authenticateAssertion(
  assertion: ClientAssertion,
  record: ClientRecord | null,
  audiences: readonly string[],
  nowMs: number,
  o: AssertionVerification,
): Promise<Client> {
  if (!record) throw invalidClient('unknown client');
  const { client } = record;
  if (client.tokenEndpointAuthMethod !== assertion.method) {
    throw invalidClient(`registered for ${client.tokenEndpointAuthMethod}`);
  }
  const { token_endpoint_auth_signing_alg: registered } = client.metadata;
  if (registered !== undefined && registered !== assertion.alg) {
    throw invalidClient(`registered for ${String(registered)}`);
  }
  const { jti, expiresAt } = checkClaims(assertion.claims, audiences, nowMs);
  const keys =
    assertion.method === 'client_secret_jwt' ? liveSecrets(record, nowMs) : await o.keysOf(client, assertion);
  if (!(await isSignedBy(assertion, keys))) throw invalidClient('wrong signature');
  if (client.disabled) throw invalidClient('client is disabled');
  // Last: only the client itself can use up its assertion.
  if (!(await o.remember(client, jti, (expiresAt + skew) * 1000)))
    throw invalidClient('assertion was used before');
  return client;
}

function checkClaims(
  claims: Readonly<Record<string, unknown>>,
  audiences: readonly string[],
  nowMs: number,
): { jti: string; expiresAt: number } {
  const now = nowMs / 1000;
  const { aud, exp, nbf, iat, jti } = claims;
  // One audience only: an assertion meant for others too could be replayed by them.
  const audience = Array.isArray(aud) && aud.length === 1 ? (aud[0] as unknown) : aud;
  if (typeof audience !== 'string' || !audiences.includes(audience))
    throw invalidClient('assertion is for another server');
  if (!isTime(exp) || exp + skew <= now) throw invalidClient('assertion has expired');
  if (exp > now + longestLife + skew) throw invalidClient('assertion lives too long');
  for (const since of [nbf, iat]) {
    if (since !== undefined && !(isTime(since) && since <= now + skew))
      throw invalidClient('assertion is not valid yet');
  }
  if (typeof jti !== 'string' || jti === '' || jti.length > 512) throw invalidClient('assertion has no jti');
  return { jti, expiresAt: Math.ceil(exp) };
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

function liveSecrets(record: ClientRecord, nowMs: number): Uint8Array[] {
  return record.secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > nowMs)
    .flatMap(({ reveal }) => (reveal ? [Buffer.from(reveal())] : []));
}

async function isSignedBy(
  assertion: ClientAssertion,
  keys: readonly (KeyObject | Uint8Array)[],
): Promise<boolean> {
  for (const key of keys) {
    const verified = await compactVerify(assertion.text, key, { algorithms: [assertion.alg] }).catch(
      () => undefined,
    );
    if (verified) return true;
  }
  return false;
}
