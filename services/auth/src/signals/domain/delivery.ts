import type { Fact, ReceiverKind } from '../../tenancy/index.ts';

/**
 * enabled: messages are sent. paused: messages wait. disabled: nothing is sent, and waiting messages are dead letters.
 */
export type ReceiverStatus = 'enabled' | 'paused' | 'disabled';

export interface ReceiverKey {
  tenant: string;
  id: string;
}

/** A webhook or SSF stream that subscribes to types of facts. */
export interface Receiver extends ReceiverKey {
  kind: 'webhook' | 'ssf';
  name: string;
  /** Client that owns an SSF stream; null for webhooks. */
  clientId: string | null;
  /** Null for a receiver that polls (RFC 8936). */
  endpoint: string | null;
  status: ReceiverStatus;
  /** Reason of the status. */
  statusReason: string | null;
  factTypes: string[];
  /** Settings by kind; `variants` maps a fact type to the names of its messages. */
  settings: Record<string, unknown>;
  /** Encrypted by `sealSecrets`, read by `openSecrets` (receiver-secrets.ts). */
  secrets: Buffer | null;
  failingSince: Date | null;
  /** Time of the last verification request. */
  verifiedAt: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** held: waits for an earlier version of its subject. dead: given up; it can be replayed. */
export type DeliveryState = 'held' | 'pending' | 'delivered' | 'dead';

/** A message to send now. */
export interface DueDelivery {
  tenant: string;
  /** Identifier that stays the same at each attempt (`webhook-id`, `jti`). */
  id: string;
  receiverKind: ReceiverKind;
  receiverId: string;
  subjectKey: string;
  /** Name of this message among several for one fact (`settings.variants` of the receiver); null when there is one. */
  variant: string | null;
  payload: Record<string, unknown> | null;
  /** Number of the attempt, from 1. */
  attempt: number;
  createdAt: Date;
  /** True when an administrator replayed a finished delivery. */
  replayed?: boolean;
  /** Null for messages that are not about a fact. */
  fact: Fact | null;
  /** Null for a client, which is not in auth.receivers. */
  receiver: Receiver | null;
}

/**
 * Result of an attempt. Reasons are shown to administrators: short, without content, secrets or internal addresses.
 * failed: it is retried. refused: a retry is useless. gone: the receiver is disabled.
 */
export type Outcome =
  | { kind: 'delivered'; status?: number }
  | { kind: 'failed'; reason: string; status?: number; retryAfterSeconds?: number }
  | { kind: 'refused' | 'gone'; reason: string; status?: number };

/** Makes one attempt. An exception counts as a failed attempt. */
export interface Sender {
  send(delivery: DueDelivery): Promise<Outcome>;
}

/** Senders by kind. Deliveries of a kind without a sender wait for a process that has one. */
export type Senders = Readonly<Partial<Record<ReceiverKind, Sender>>>;
