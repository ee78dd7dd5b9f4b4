import { createHash } from 'node:crypto';
import type { Fact, Signer } from '../../tenancy/index.ts';
import type { Receiver } from './delivery.ts';
import { isSupported } from './event-types.ts';
import { type EventContent, eventOf, streamUpdatedEvent, verificationEvent } from './events.ts';
import type { WaitingDelivery } from './poll-store.ts';
import { securityEventAlgorithm, signSecurityEvent } from './security-event-token.ts';
import { streamOf } from './stream-settings.ts';
import { primaryAddress, type SignalSubjects } from './stream-store.ts';

/** Payload of a delivery about the stream itself. */
export type StreamNotice =
  | { news: 'verification'; state?: string }
  | { news: 'stream-updated'; status: string; reason?: string };

export interface TransmissionOptions {
  subjects: SignalSubjects;
  signer: (tenant: string, alg: typeof securityEventAlgorithm) => Promise<Signer>;
  issuer: (tenant: string) => string;
}

/** Creates the tokens of deliveries. */
export class Transmission {
  readonly #o: TransmissionOptions;

  constructor(o: TransmissionOptions) {
    this.#o = o;
  }

  /** Returns the signed token, or undefined when there is nothing to transmit. */
  async tokenOf(receiver: Receiver, delivery: WaitingDelivery): Promise<string | undefined> {
    const event = await this.#eventIn(receiver, delivery);
    if (!event) return undefined;
    const { id, createdAt, fact } = delivery;
    const signer = await this.#o.signer(receiver.tenant, securityEventAlgorithm);
    return signSecurityEvent(
      event,
      {
        issuer: this.#o.issuer(receiver.tenant),
        audience: receiver.clientId ?? '',
        jti: id,
        issuedAt: createdAt,
        txn: fact ? causeOf(fact) : id,
        ...(fact ? { happenedAt: fact.occurredAt } : {}),
      },
      signer,
    );
  }

  async #eventIn(
    receiver: Receiver,
    { variant, payload, replayed, fact }: WaitingDelivery,
  ): Promise<EventContent | undefined> {
    if (fact === null) return eventsOf(receiver.id, payload as StreamNotice | null);
    if (variant === null || !isSupported(variant)) return undefined;
    const { tenant } = receiver;
    const { subjects, issuer } = this.#o;
    // A replay may arrive after later events: it must not reactivate a user who was offboarded since.
    const isReturn = replayed === true && fact.type === 'user.reactivated';
    if (isReturn && (await subjects.hasLeftSince(tenant, fact.subject.id, fact.version))) return undefined;
    const { format } = streamOf(receiver);
    // The event may carry the address of its user. For deleted users it is the only source.
    const email =
      format === 'email' && fact.subject.kind === 'user'
        ? (primaryAddress(fact.data.emails) ?? (await subjects.addressOf(tenant, fact.subject.id)))
        : undefined;
    return eventOf(variant, fact, { tenant, issuer: issuer(tenant), format, email });
  }
}

/**
 * Returns the value that the events of one change share: a hash of the trace and subject; without a trace, of the
 * directory's version of the subject. The account event and the session events of an offboarding therefore share one
 * `txn`.
 */
function causeOf({ id, traceparent, subject, version, data }: Fact): string {
  const cause = traceparent ?? version ?? data.directoryVersion;
  if (cause === undefined) return id;
  return createHash('sha256').update(`${cause} ${subject.id}`).digest('base64url').slice(0, 22);
}

function eventsOf(streamId: string, payload: StreamNotice | null): EventContent | undefined {
  if (payload?.news === 'verification') return verificationEvent(streamId, payload.state);
  if (payload?.news !== 'stream-updated') return undefined;
  return streamUpdatedEvent(streamId, { status: payload.status, reason: payload.reason });
}
