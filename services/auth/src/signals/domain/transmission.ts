import { createHash } from 'node:crypto';
import type { Fact } from '../../events/index.ts';
import type { Signer } from '../../keys/index.ts';
import type { DueDelivery, Receiver } from './delivery.ts';
import { isSupported } from './event-types.ts';
import { type EventContent, eventOf, streamUpdatedEvent, verificationEvent } from './events.ts';
import { securityEventAlgorithm, signSecurityEvent } from './security-event-token.ts';
import { streamOf } from './stream-settings.ts';
import { primaryAddress, type SignalSubjects } from './stream-store.ts';

/** What a delivery about the stream itself says. */
export type StreamNews =
  | { news: 'verification'; state?: string }
  | { news: 'stream-updated'; status: string; reason?: string };

/** What a token is made of. */
type Transmitted = Pick<DueDelivery, 'id' | 'variant' | 'payload' | 'createdAt' | 'replayed' | 'fact'>;

export interface TransmissionOptions {
  subjects: SignalSubjects;
  signer: (tenant: string, alg: typeof securityEventAlgorithm) => Promise<Signer>;
  issuer: (tenant: string) => string;
}

/** Makes tokens of deliveries. */
export class Transmission {
  readonly #o: TransmissionOptions;

  constructor(o: TransmissionOptions) {
    this.#o = o;
  }

  /** The signed token; undefined when there is nothing to transmit after all. */
  async tokenOf(receiver: Receiver, delivery: Transmitted): Promise<string | undefined> {
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
    { variant, payload, replayed, fact }: Transmitted,
  ): Promise<EventContent | undefined> {
    if (fact === null) return newsOf(receiver.id, payload as StreamNews | null);
    if (variant === null || !isSupported(variant)) return undefined;
    const { tenant } = receiver;
    const { subjects, issuer } = this.#o;
    // What is sent again may arrive after what came later: who has left since is not to be let in again by it.
    const isReturn = replayed === true && fact.type === 'user.reactivated';
    if (isReturn && (await subjects.hasLeftSince(tenant, fact.subject.id, fact.version))) return undefined;
    const { format } = streamOf(receiver);
    // An event about a user may carry their address; once they are gone, only that does.
    const email =
      format === 'email' && fact.subject.kind === 'user'
        ? (primaryAddress(fact.data.emails) ?? (await subjects.addressOf(tenant, fact.subject.id)))
        : undefined;
    return eventOf(variant, fact, { tenant, issuer: issuer(tenant), format, email });
  }
}

/**
 * What the events of one change have in common: its place in the trace, and whom they are about; without a trace, the directory's
 * version of them. A departure's end of all sessions is told like this with the end of the account.
 */
function causeOf({ id, traceparent, subject, version, data }: Fact): string {
  const cause = traceparent ?? version ?? data.directoryVersion;
  if (cause === undefined) return id;
  return createHash('sha256').update(`${cause} ${subject.id}`).digest('base64url').slice(0, 22);
}

function newsOf(streamId: string, payload: StreamNews | null): EventContent | undefined {
  if (payload?.news === 'verification') return verificationEvent(streamId, payload.state);
  if (payload?.news !== 'stream-updated') return undefined;
  return streamUpdatedEvent(streamId, { status: payload.status, reason: payload.reason });
}
