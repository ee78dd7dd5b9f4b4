import {
  invalidClient,
  invalidRequest,
  type Parameters,
  single,
  tenantSuspended,
  wrongClientAuthMethod,
} from '../../platform/index.ts';
import { equalDigests, keyedDigest } from '../../tenancy/index.ts';
import { assertionType, type ClientAssertion, readAssertion } from './assertions/client-assertion.ts';
import type { Client, ClientAuthMethod } from './client.ts';
import { acceptsAnySecretMethod } from './client-metadata.ts';
import { type ClientRecord, secretMethods } from './clients.ts';

/** Client id and credentials of a request, not verified. */
export interface PresentedClient {
  clientId: string;
  method: ClientAuthMethod;
  secret?: string;
  assertion?: ClientAssertion;
}

const maxPartLength = 1_024;

/**
 * Reads the authentication of a client (RFC 6749 §2.3): HTTP Basic, `client_secret` in the body, a signed assertion
 * (RFC 7523 §2.2), or `client_id` alone for a public client.
 * @throws OAuthError invalid_request for several methods, invalid_client for none or a malformed one
 */
export function presentedClient(
  authorization: string | undefined,
  parameters: Parameters,
  realm: string,
): PresentedClient {
  const bodyId = single(parameters, 'client_id');
  const bodySecret = single(parameters, 'client_secret');
  if (parameters.has('client_assertion') || parameters.has('client_assertion_type')) {
    if (authorization !== undefined || bodySecret !== undefined) throw moreThanOneMethod();
    return presentedAssertion(parameters, bodyId);
  }
  if (authorization !== undefined) {
    const basic = parseBasic(authorization, realm);
    if (bodySecret !== undefined) throw moreThanOneMethod();
    if (bodyId !== undefined && bodyId !== basic.clientId) {
      throw invalidRequest('client_id differs from the authenticated client.');
    }
    return { ...basic, method: 'client_secret_basic' };
  }
  if (bodyId === undefined) throw invalidClient('no client identification');
  return bodySecret === undefined
    ? { clientId: bodyId, method: 'none' }
    : { clientId: bodyId, method: 'client_secret_post', secret: bodySecret };
}

const moreThanOneMethod = () => invalidRequest('The client used more than one authentication method.');

/** RFC 7523 §2.2: client_id is optional, but must equal the assertion's subject (RFC 7521 §4.2). */
function presentedAssertion(parameters: Parameters, bodyId: string | undefined): PresentedClient {
  const text = single(parameters, 'client_assertion');
  if (text === undefined) throw invalidRequest('client_assertion is missing.');
  const type = single(parameters, 'client_assertion_type');
  if (type === undefined) throw invalidRequest('client_assertion_type is missing.');
  // RFC 6749 §5.2: unsupported authentication method.
  if (type !== assertionType) throw invalidClient('unsupported client_assertion_type');
  const assertion = readAssertion(text);
  if (bodyId !== undefined && bodyId !== assertion.clientId) {
    throw invalidRequest('client_id differs from the authenticated client.');
  }
  return { clientId: assertion.clientId, method: assertion.method, assertion };
}

/**
 * Authenticates a client: the method must be the registered one and the secret one of its live ones.
 * @param record registration of the presented client id, if any
 * @throws OAuthError invalid_client, the same for every cause
 */
export function authenticateClient(
  presented: PresentedClient,
  record: ClientRecord | null,
  secretKey: Buffer,
  nowMs: number,
  realm: string,
): Client {
  const basic = presented.method === 'client_secret_basic' ? { realm } : undefined;
  // Computed for unknown clients too, so that the response time does not disclose them.
  const digest = presented.secret === undefined ? undefined : keyedDigest(secretKey, presented.secret);
  if (!record) throw invalidClient('unknown client', basic);
  const { client } = record;
  if (!mayUseMethod(client, presented.method)) {
    const { tokenEndpointAuthMethod: registered } = client;
    throw wrongClientAuthMethod({ registered, used: presented.method }, basic);
  }
  if (client.type === 'confidential' && !(digest && matchesLiveSecret(record, digest, nowMs))) {
    throw invalidClient('wrong secret', basic);
  }
  if (client.suspended) throw tenantSuspended();
  if (client.disabled) throw invalidClient('client is disabled', basic);
  return client;
}

const mayUseMethod = (client: Client, method: ClientAuthMethod): boolean =>
  client.tokenEndpointAuthMethod === method ||
  (acceptsAnySecretMethod(client) && secretMethods.includes(method));

function matchesLiveSecret(record: ClientRecord, digest: Buffer, nowMs: number): boolean {
  let matches = false;
  // No early exit: the response time must not disclose which secret matched.
  for (const secret of record.secrets) {
    const live = secret.expiresAt === null || secret.expiresAt > nowMs;
    matches = (equalDigests(secret.digest, digest) && live) || matches;
  }
  return matches;
}

/** RFC 6749 §2.3.1: both parts are form-encoded before they are joined and Base64-encoded. */
function parseBasic(authorization: string, realm: string): { clientId: string; secret: string } {
  const match = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization);
  if (!match?.[1]) throw invalidClient('malformed Authorization header', { realm });
  const text = Buffer.from(match[1], 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const clientId = colon === -1 ? undefined : formDecode(text.slice(0, colon));
  const secret = colon === -1 ? undefined : formDecode(text.slice(colon + 1));
  if (!clientId || !secret || clientId.length > maxPartLength || secret.length > maxPartLength) {
    throw invalidClient('malformed Basic credentials', { realm });
  }
  return { clientId, secret };
}

function formDecode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
