import type { Fact, ReceiverKind } from '../../events/index.ts';

/** enabled: is told. paused: what is to be told waits. disabled: is told nothing, and what was waiting is dead. */
export type ReceiverStatus = 'enabled' | 'paused' | 'disabled';

/** Somebody outside who subscribed to types of facts. */
export interface Receiver {
  tenant: string;
  id: string;
  kind: 'webhook' | 'ssf';
  name: string;
  /** The client an SSF stream belongs to. */
  clientId: string | null;
  /** Null: the receiver asks (RFC 8936). */
  endpoint: string | null;
  status: ReceiverStatus;
  /** Why it has this status, if no administrator set it. */
  statusReason: string | null;
  factTypes: string[];
  /** Its kind's own; `variants`: fact type → what several messages about one fact are called. */
  settings: Record<string, unknown>;
  /** Sealed: `sealSecrets`, `openSecrets` (domain/outward/receiver-secrets.ts). */
  secrets: Buffer | null;
  failingSince: Date | null;
  /** When it last asked for a verification. */
  verifiedAt: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** held: waits for what happened before it. dead: given up; it can be replayed. */
export type DeliveryState = 'held' | 'pending' | 'delivered' | 'dead';

/** A message whose time has come. */
export interface DueDelivery {
  tenant: string;
  /** The message's own: the same at each attempt (`webhook-id`, `jti`). */
  id: string;
  receiverKind: ReceiverKind;
  receiverId: string;
  subjectKey: string;
  /** Which of several messages about one fact (`settings.variants` of the receiver); null when there is one. */
  variant: string | null;
  payload: Record<string, unknown> | null;
  /** 1 for the first. */
  attempt: number;
  createdAt: Date;
  /** It was finished, and somebody has it sent again. */
  replayed?: boolean;
  /** Null when it isn't about one. */
  fact: Fact | null;
  /** Null for a receiver that is none of ours: a client. */
  receiver: Receiver | null;
}

/**
 * What came of an attempt. Reasons are shown to administrators: short, without content, secrets or addresses of ours.
 * failed: it is tried again. refused: trying again is useless. gone: so is telling this receiver anything, which is disabled.
 */
export type Outcome =
  | { kind: 'delivered'; status?: number }
  | { kind: 'failed'; reason: string; status?: number; retryAfterSeconds?: number }
  | { kind: 'refused' | 'gone'; reason: string; status?: number };

/** Makes one attempt. What it throws is a failed attempt, too. */
export interface Sender {
  send(delivery: DueDelivery): Promise<Outcome>;
}

/** Kinds without a sender wait for a process that has one. */
export type Senders = Readonly<Partial<Record<ReceiverKind, Sender>>>;
