import type { Parameters } from '../../protocol/index.ts';

/** Authorization requests that clients left with us before sending the browser (RFC 9126). */
export interface PushedRequests {
  /** Keeps a checked request; returns its request_uri and its lifetime in seconds. */
  push(
    tenant: string,
    clientId: string,
    request: PushedRequest,
  ): Promise<{ requestUri: string; expiresIn: number }>;
  /** A request that still waits, for the client that pushed it. It stays: people reload pages. */
  find(tenant: string, clientId: string, requestUri: string): Promise<WaitingRequest | undefined>;
  /**
   * Uses a request up, when its code is issued. Of any number of callers one gets true, also after the request's own life is
   * over: who was shown the sign-in page in time may take longer.
   */
  use(reference: string): Promise<boolean>;
}

export interface PushedRequest {
  /** The client's epoch when it pushed: a request does not outlive a client that was disabled, nor come back with it. */
  clientEpoch: number;
  parameters: Parameters;
  /** Whether it was a signed request object (RFC 9126 §3). */
  signed: boolean;
}

/** One that was found. */
export interface WaitingRequest extends PushedRequest {
  /** By which it is used up; it tells nobody the request_uri. */
  reference: string;
}

/** RFC 9126 §2.2. */
const prefix = 'urn:ietf:params:oauth:request_uri:';

/** Whether a request_uri is meant to be one of ours; any other is the address of a request object. */
export const isPushedRequestUri = (requestUri: string): boolean => requestUri.startsWith(prefix);

/** The request_uri of a reference. */
export const pushedRequestUri = (reference: string): string => prefix + reference;

/** What proves who the client is has no place in its request. */
const credentials: ReadonlySet<string> = new Set([
  'client_secret',
  'client_assertion',
  'client_assertion_type',
]);

/** The parameters to keep: without the client's credentials, and with the client they were proven for. */
export function requestParameters(parameters: Parameters, clientId: string): Parameters {
  const kept = new Map([...parameters].filter(([name]) => !credentials.has(name)));
  return kept.set('client_id', [clientId]);
}
