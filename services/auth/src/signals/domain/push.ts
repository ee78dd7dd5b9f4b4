import { type KeyRing, OutgoingFetchError, type PostedAnswer, type SafePost } from '@ostiary/service';
import type { ClientStore } from '../../clients/index.ts';
import type { DueDelivery, Outcome, Receiver, Sender } from './delivery.ts';
import { receiverError } from './poll-request.ts';
import { openSecrets } from './receiver-secrets.ts';
import { readScopes } from './stream-configuration.ts';
import { asksFor, unasked } from './stream-settings.ts';
import type { StreamSecrets } from './streams.ts';
import type { Transmission } from './transmission.ts';
import { secondsOf } from './webhook-sender.ts';

/**
 * Error codes after which a retry is useless (RFC 8935 §2.4, SSF 1.0 §8.1.4.1). The other codes concern keys and
 * permissions, which an administrator may correct during the retries.
 */
const final: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_issuer',
  'invalid_audience',
  'invalid_state',
]);

export interface SignalPushOptions {
  transmission: Transmission;
  clients: ClientStore;
  /** Encryption keys of receivers' secrets. */
  receiverKeys: KeyRing;
  safePost: SafePost;
  timeoutMs: number;
  /** Current time in milliseconds. */
  clock: () => number;
}

/** Push-based delivery (RFC 8935). */
export class SignalPush implements Sender {
  readonly #o: SignalPushOptions;

  constructor(o: SignalPushOptions) {
    this.#o = o;
  }

  async send(delivery: DueDelivery): Promise<Outcome> {
    const { clients, transmission } = this.#o;
    const { receiver } = delivery;
    if (!receiver?.endpoint) return { kind: 'refused', reason: 'The stream no longer uses push delivery.' };
    const client = await clients.find(receiver.tenant, receiver.clientId ?? '');
    if (!client) return { kind: 'refused', reason: 'The client of the stream no longer exists.' };
    if (client.disabled) return { kind: 'failed', reason: 'The client of the stream is disabled.' };
    // An administrator may remove the scopes to stop delivery; polling ends without a token that has them.
    if (!client.scopes.some((scope) => readScopes.includes(scope))) {
      return { kind: 'failed', reason: 'The client of the stream lacks the scope to receive events.' };
    }
    if (!asksFor(receiver, delivery)) return { kind: 'refused', reason: unasked };
    const token = await transmission.tokenOf(receiver, delivery);
    if (token === undefined) return { kind: 'delivered' };
    return this.#push(receiver, receiver.endpoint, token);
  }

  async #push(receiver: Receiver, endpoint: string, token: string): Promise<Outcome> {
    const { receiverKeys, safePost, timeoutMs, clock } = this.#o;
    const secrets =
      receiver.secrets === null ? undefined : openSecrets<StreamSecrets>(receiverKeys, receiver);
    const headers = {
      'content-type': 'application/secevent+jwt',
      accept: 'application/json',
      ...(secrets ? { authorization: secrets.authorizationHeader } : {}),
    };
    try {
      const answer = await safePost(endpoint, { body: token, headers, timeoutMs });
      return outcomeOf(answer, clock());
    } catch (error) {
      if (!(error instanceof OutgoingFetchError)) throw error;
      return { kind: 'failed', reason: error.message };
    }
  }
}

/** RFC 8935 §2.2 requires 202; 200 and 204 are accepted as well. */
function outcomeOf({ status, headers, body }: PostedAnswer, now: number): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  const error = errorIn(body);
  const said = error === undefined ? undefined : receiverError(error);
  const reason = said ?? `The receiver returned status ${status}.`;
  if (status === 400 && final.has(String(error?.err))) return { kind: 'refused', reason, status };
  const retryAfterSeconds = secondsOf(headers['retry-after'], now);
  return {
    kind: 'failed',
    reason,
    status,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/** Returns the JSON object of an error response (RFC 8935 §2.3). */
function errorIn(body: Buffer): { err?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
