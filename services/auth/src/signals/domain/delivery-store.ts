import type { IdPage, Transaction } from '@ostiary/service';
import type { FactType, ReceiverKind, SubjectKind } from '../../events/index.ts';
import type { DeliveryState, Receiver } from './delivery.ts';

/** A delivery as administrators see it: of what it tells, only about whom. */
export interface DeliverySummary {
  id: string;
  receiverKind: ReceiverKind;
  receiverId: string;
  /** The fact's; of other messages what the payload says. */
  type: string | null;
  subjectKind: SubjectKind | null;
  subjectId: string | null;
  state: DeliveryState;
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
  /** When it is tried next; null when it isn't. */
  nextAttemptAt: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
}

/** Narrows a list of deliveries; what is left out doesn't narrow. */
export interface DeliveryFilter {
  receiverId?: string;
  receiverKind?: ReceiverKind;
  state?: DeliveryState;
  subjectId?: string;
  type?: FactType;
  since?: Date;
}

/** How many there are, or how many there are at least. */
export interface Counted {
  total: number;
  isExact: boolean;
}

/** Deliveries, as administrators read and replay them. */
export interface DeliveryStore {
  /** Newest first, from a position on; backward: the nearest before it first. */
  list(tx: Transaction, tenant: string, filter: DeliveryFilter, page: IdPage): Promise<DeliverySummary[]>;
  /** How many there are, as far as they are counted. */
  count(tx: Transaction, tenant: string, filter: DeliveryFilter): Promise<Counted>;
  /** One delivery of a tenant; `lock` keeps workers and everybody else from it. */
  find(
    tx: Transaction,
    tenant: string,
    id: string,
    o?: { lock?: boolean },
  ): Promise<(DeliverySummary & { underWay: boolean }) | undefined>;
  /** Sends a delivery anew, with all the time there is; its place among those of its subject stays. */
  revive(tx: Transaction, tenant: string, id: string): Promise<void>;
  /** The same for the dead ones of a receiver written down since then; at most `limit`. @returns how many */
  reviveDead(
    tx: Transaction,
    tenant: string,
    receiverId: string,
    since: Date | undefined,
    limit: number,
  ): Promise<number>;
  /** Deletes a delivery, whose lock the caller holds; what has waited for it may go. */
  delete(tx: Transaction, tenant: string, id: string): Promise<void>;
  /** What of the tenant is notified and has this id: a receiver, or a client. */
  findNotified(
    tx: Transaction,
    tenant: string,
    id: string,
  ): Promise<{ kind: Receiver['kind'] | 'client'; id: string } | undefined>;
  /** Of a receiver of any kind; locked, so that it stays so until the transaction ends. */
  receiverStatus(tx: Transaction, tenant: string, id: string): Promise<Receiver['status'] | undefined>;
}
