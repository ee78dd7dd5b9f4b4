import { createHmac } from 'node:crypto';
import { type KeyRing, OutgoingFetchError, type SafePost } from '@ostiary/service';
import type { Fact } from '../../tenancy/index.ts';
import type { DueDelivery, Outcome, Receiver, Sender } from './delivery.ts';
import { openSecrets } from './receiver-secrets.ts';

/** Signing secrets of a webhook, base64. */
export interface WebhookSecrets {
  current: string;
  /** Previous secret, which also signs until `expiresAt` (RFC 3339). */
  previous?: { secret: string; expiresAt: string };
}

/** Type of test messages, which needs no subscription. */
export const testType = 'webhook.test';

export interface WebhookSenderOptions {
  post: SafePost;
  /** Encryption keys of receivers' secrets. */
  receiverKeys: KeyRing;
  timeoutSeconds: number;
  clock: () => number;
}

/** Sends messages as Standard Webhooks 1.0 defines: `webhook-id`, `webhook-timestamp`, `webhook-signature`. */
export class WebhookSender implements Sender {
  readonly #o: WebhookSenderOptions;

  constructor(o: WebhookSenderOptions) {
    this.#o = o;
  }

  async send(delivery: DueDelivery): Promise<Outcome> {
    const { post, clock, timeoutSeconds } = this.#o;
    const { receiver } = delivery;
    if (!receiver?.endpoint) return { kind: 'refused', reason: 'The webhook was removed.' };
    // The endpoint may have changed while the message waited or before it is replayed, and the new one may be
    // subscribed to less.
    if (delivery.fact && !receiver.factTypes.includes(delivery.fact.type)) {
      return { kind: 'refused', reason: 'The webhook is no longer subscribed to this event type.' };
    }
    const body = JSON.stringify(messageOf(delivery));
    try {
      const { status, headers } = await post(receiver.endpoint, {
        body,
        headers: this.#signedHeaders(receiver, delivery.id, body),
        timeoutMs: timeoutSeconds * 1_000,
        // The body of the response is not used and can be arbitrary.
        maxBytes: 0,
      });
      return outcomeOf(status, headers['retry-after'], clock());
    } catch (error) {
      if (error instanceof OutgoingFetchError) return { kind: 'failed', reason: error.message };
      throw error;
    }
  }

  #signedHeaders(receiver: Receiver, id: string, body: string): Record<string, string> {
    const now = this.#o.clock();
    const timestamp = Math.floor(now / 1000);
    const secrets = openSecrets<WebhookSecrets>(this.#o.receiverKeys, receiver);
    return {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': liveSecrets(secrets, now)
        .map((secret) => signatureOf(secret, id, timestamp, body))
        .join(' '),
    };
  }
}

/** Returns `v1,` and the base64 HMAC-SHA256 of `{id}.{timestamp}.{body}`. */
const signatureOf = (secret: string, id: string, timestamp: number, body: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret, 'base64')).update(`${id}.${timestamp}.${body}`).digest('base64')}`;

/** Returns the secrets that sign at a time: two during a rotation. */
export const liveSecrets = ({ current, previous }: WebhookSecrets, now: number): string[] =>
  previous && Date.parse(previous.expiresAt) > now ? [current, previous.secret] : [current];

/** Returns the message: `type`, `timestamp` of the event, `data`. It is the same at each attempt. */
function messageOf({ tenant, fact, payload, createdAt, receiver }: DueDelivery): object {
  if (fact) return { type: fact.type, timestamp: fact.occurredAt.toISOString(), data: dataOf(tenant, fact) };
  return {
    type: payload?.type ?? testType,
    timestamp: createdAt.toISOString(),
    data: { tenant, webhookId: receiver?.id },
  };
}

function dataOf(tenant: string, { type, subject, version, actor, data }: Fact): object {
  const about = {
    tenant,
    subject,
    // The actor by id only: receivers may lack the permission to read names.
    actor: { kind: actor.kind, id: actor.id, ...(actor.onBehalfOf && { onBehalfOf: actor.onBehalfOf }) },
  };
  if (version === null) return { ...about, ...data };
  return { ...about, version: Number(version), [type.startsWith('group.') ? 'group' : 'user']: data };
}

/** Returns the outcome for a response. */
export function outcomeOf(status: number, retryAfter: string | undefined, now: number): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  if (status === 410) return { kind: 'gone', status, reason: 'The receiver returned status 410 (Gone).' };
  const redirected = status >= 300 && status < 400;
  const retryAfterSeconds = secondsOf(retryAfter, now);
  return {
    kind: 'failed',
    status,
    reason: redirected
      ? `The receiver returned a redirect (${status}); redirects are not followed.`
      : `The receiver returned status ${status}.`,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

/** Reads Retry-After (RFC 9110 §10.2.3), seconds or a date, as seconds. */
export function secondsOf(text: string | undefined, now: number): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1_000);
}

/** Returns the form in which a secret is shown once. */
export const shownSecret = (secret: string): string => `whsec_${secret}`;
