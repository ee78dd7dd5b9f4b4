import type { KeyObject } from 'node:crypto';
import {
  type AssertionAlgorithm,
  type Client,
  checkTimes,
  hasRequestObjectAlgorithm,
  isFapi2,
  isSignedByOneOf,
  mayUse,
  mustSignRequests,
  privateKeyAlgorithms,
  readSignedAssertion,
  typeOf,
} from '../../clients/index.ts';
import { invalidRequest, OAuthError, type Parameters, single } from '../../platform/index.ts';
import { decodeUnsecuredJwt } from '../../tenancy/index.ts';

/** An authorization request in a JWT (OpenID Connect Core §6, RFC 9101) that comes from the client. */
export interface RequestObject {
  /** Signed with a key of the client. Otherwise the client is registered for unsigned request objects. */
  signed: boolean;
  claims: Readonly<Record<string, unknown>>;
  /** Parameters in the form of a query. */
  parameters: Parameters;
}

/**
 * Returns the client's keys that match a JWT header.
 * @throws OAuthError invalid_client if it has registered none
 */
export type KeysOf = (
  client: Client,
  header: { alg: AssertionAlgorithm; kid?: string },
) => Promise<readonly KeyObject[]>;

/** RFC 9101 §4 and §10.8.1. The type of another kind of JWT is rejected. */
const types: ReadonlySet<unknown> = new Set([undefined, 'jwt', 'oauth-authz-req+jwt']);

/**
 * An unsigned request object of a client without a registered algorithm (RFC 9101 §6.2). It proves as much as a
 * query, so its parameters may name a registered redirect URI for the error.
 */
export class UnsignedRequestObject extends OAuthError {
  readonly parameters: Parameters;

  constructor(parameters: Parameters) {
    const reason = 'it is not signed';
    super('invalid_request_object', `The request object was rejected: ${reason}.`, { reason });
    this.parameters = parameters;
  }
}

/** Claims about the JWT itself (RFC 7519 §4.1), which are not parameters. */
const jwtClaims: ReadonlySet<string> = new Set(['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti']);

const refuse = (reason: string): OAuthError =>
  new OAuthError('invalid_request_object', `The request object was rejected: ${reason}.`, { reason });

/**
 * Verifies that a request object comes from the client: with one of its keys and its registered algorithm. No
 * parameter, and above all no redirect URI, is used before.
 * @param text the JWT in compact form (RFC 7515 §3.1)
 * @throws OAuthError invalid_request_object; ServiceUnavailable if the client's keys are not available
 */
export async function verifyRequestObject(
  text: string,
  client: Client,
  keysOf: KeysOf,
): Promise<RequestObject> {
  const { signed, claims } = await authenticated(text, client, keysOf);
  // An unsigned object may omit iss, because it proves nothing, but must not contradict the client.
  if ((signed || claims.iss !== undefined) && claims.iss !== client.clientId) {
    throw refuse('iss is not the client');
  }
  // RFC 9101 §6.3: must also equal the client_id of the request.
  if (claims.client_id !== undefined && claims.client_id !== client.clientId) {
    throw refuse('client_id is another than that of the request');
  }
  return { signed, claims, parameters: parametersOf(claims, client) };
}

async function authenticated(
  text: string,
  client: Client,
  keysOf: KeysOf,
): Promise<Pick<RequestObject, 'signed' | 'claims'>> {
  const unsecured = decodeUnsecuredJwt(text);
  if (unsecured) {
    const { header, payload } = unsecured;
    if (header.alg === 'none' && !hasRequestObjectAlgorithm(client) && !mustSignRequests(client)) {
      throw new UnsignedRequestObject(parametersOf(payload, client));
    }
    if (header.alg !== 'none' || !mayUse(client, 'none')) throw refuse('it is not signed');
    if (!types.has(typeOf(header)) || header.crit !== undefined) throw refuse('another type');
    return { signed: false, claims: payload };
  }
  const read = readSignedAssertion(text, { types, algorithms: privateKeyAlgorithms, refuse });
  if (!mayUse(client, read.alg)) throw refuse('the client is registered for another algorithm');
  const keys = await keysOf(client, read).catch((error: unknown) => {
    throw error instanceof OAuthError ? refuse('the client has registered no keys') : error;
  });
  if (!(await isSignedByOneOf(read, keys))) throw refuse('it is not signed with a key of the client');
  return { signed: true, claims: read.claims };
}

/**
 * Validates a verified request object against the request and the time.
 * @param outside the parameters sent with it; none is used, but none may contradict it (OpenID Connect Core §6.1)
 * @throws OAuthError invalid_request_object, invalid_request
 */
export function checkRequestObject(
  { signed, claims }: RequestObject,
  o: { client: Client; issuer: string; nowMs: number; outside: Parameters },
): void {
  const { aud } = claims;
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if ((signed || aud !== undefined) && !audiences.includes(o.issuer)) throw refuse('aud is not this issuer');
  // RFC 9101 §10.8: a request object must not be usable as a client assertion.
  if (claims.sub === o.client.clientId) throw refuse('sub is the client');
  // RFC 9101 §4.
  if (claims.request !== undefined || claims.request_uri !== undefined) throw refuse('it holds another one');
  checkTimes(claims, o.nowMs, refuse);
  // FAPI 2.0 Message Signing §5.3.1 (3, 4).
  if (isFapi2(o.client) && (claims.exp === undefined || claims.nbf === undefined)) {
    throw refuse('exp and nbf are required');
  }
  const said = single(o.outside, 'response_type');
  if (said !== undefined && claims.response_type !== undefined && said !== claims.response_type) {
    throw invalidRequest('response_type differs from that of the request object.');
  }
}

/**
 * Rejects an unsigned request of a client that must sign its requests.
 * @param signed whether the request is a signed request object
 * @throws OAuthError invalid_request
 */
export function requireSignature(client: Client, signed: boolean): void {
  if (signed || !mustSignRequests(client)) return;
  throw invalidRequest('The client must send its requests as signed request objects (RFC 9101).');
}

/**
 * Returns the parameters of a request object, without those outside (RFC 9101 §5, §6.3). Only response_type may be
 * outside if the object omits it (OpenID Connect Core §6.1).
 */
export function parametersFrom(object: RequestObject, outside: Parameters): Parameters {
  const responseType = outside.get('response_type');
  return object.parameters.has('response_type') || responseType === undefined
    ? object.parameters
    : new Map(object.parameters).set('response_type', responseType);
}

/**
 * RFC 9101 §4: values are strings and numbers. `claims` is an object (OpenID Connect Core §6.1), `resource` may be a
 * list (RFC 8707 §2).
 */
function parametersOf(claims: RequestObject['claims'], client: Client): Parameters {
  const parameters = new Map<string, string[]>([['client_id', [client.clientId]]]);
  for (const [name, value] of Object.entries(claims)) {
    if (jwtClaims.has(name) || value === null || name === 'client_id') continue;
    const values = name === 'resource' && Array.isArray(value) ? (value as unknown[]) : [value];
    const texts = values.map(textOf).filter((text) => text !== '');
    // A query cannot contain such text either: see parseParameters.
    if ([name, ...texts].some((text) => text.includes('\0') || !text.isWellFormed())) {
      throw refuse('it contains bytes that are not text');
    }
    if (texts.length > 0) parameters.set(name, texts);
  }
  return parameters;
}

// Other values stay as JSON text, which the rule of the parameter rejects.
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
