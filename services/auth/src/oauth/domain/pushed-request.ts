import type { Parameters } from '../../platform/index.ts';

/** Pushed authorization requests (RFC 9126). */
export interface PushedRequests {
  /** Stores a valid request. Returns its request_uri and its lifetime in seconds. */
  push(
    tenant: string,
    clientId: string,
    request: PushedRequest,
  ): Promise<{ requestUri: string; expiresIn: number }>;
  /** Returns a waiting request of the client. Does not consume it, because users reload pages. */
  find(tenant: string, clientId: string, requestUri: string): Promise<WaitingRequest | undefined>;
  /**
   * Consumes a request when its code is issued. Returns true to exactly one caller, also after the expiry of the
   * request: a user who saw the sign-in page in time may take longer.
   */
  use(reference: string): Promise<boolean>;
}

export interface PushedRequest {
  /**
   * Epoch of the client at the time of the push. A request ends when its client is disabled, also if the client is
   * enabled again.
   */
  clientEpoch: number;
  parameters: Parameters;
  /** Reports whether it was a signed request object (RFC 9126 §3). */
  signed: boolean;
}

export interface WaitingRequest extends PushedRequest {
  /** Reference for `use`. It does not disclose the request_uri. */
  reference: string;
}

/** RFC 9126 §2.2. */
const prefix = 'urn:ietf:params:oauth:request_uri:';

/** Reports whether a request_uri is one of a pushed request; any other is the address of a request object. */
export const isPushedRequestUri = (requestUri: string): boolean => requestUri.startsWith(prefix);

/** Returns the request_uri of a reference. */
export const pushedRequestUri = (reference: string): string => prefix + reference;

/** Client credentials, which are not stored with the request. */
const credentials: ReadonlySet<string> = new Set([
  'client_secret',
  'client_assertion',
  'client_assertion_type',
]);

/** Returns the parameters to store: without credentials, with the authenticated client. */
export function requestParameters(parameters: Parameters, clientId: string): Parameters {
  const kept = new Map([...parameters].filter(([name]) => !credentials.has(name)));
  return kept.set('client_id', [clientId]);
}
