import type { BoundedCount, IdPage, Transaction } from '@ostiary/service';
import type { FactType, ReceiverKind, SubjectKind } from '../../tenancy/index.ts';
import type { DeliveryState, Receiver } from './delivery.ts';

/** A delivery as administrators see it: without the content, but with the subject. */
export interface DeliverySummary {
  id: string;
  receiverKind: ReceiverKind;
  receiverId: string;
  /** Type of the fact, or of the payload for other messages. */
  type: string | null;
  subjectKind: SubjectKind | null;
  subjectId: string | null;
  state: DeliveryState;
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
  /** Time of the next attempt; null when none follows. */
  nextAttemptAt: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
}

/** Filter of a list of deliveries. */
export interface DeliveryFilter {
  receiverId?: string;
  receiverKind?: ReceiverKind;
  state?: DeliveryState;
  subjectId?: string;
  type?: FactType;
  since?: Date;
}

/** Deliveries, as administrators read and replay them. */
export interface DeliveryStore {
  /** Returns deliveries newest first, from a position on. Backward, the row nearest to the position is first. */
  list(tx: Transaction, tenant: string, filter: DeliveryFilter, page: IdPage): Promise<DeliverySummary[]>;
  /** Counts matching deliveries up to a maximum. */
  count(tx: Transaction, tenant: string, filter: DeliveryFilter): Promise<BoundedCount>;
  /** Returns a delivery of a tenant. `lock` locks its row against workers and other requests. */
  find(
    tx: Transaction,
    tenant: string,
    id: string,
    o?: { lock?: boolean },
  ): Promise<(DeliverySummary & { underWay: boolean }) | undefined>;
  /** Makes a delivery pending again with a new retry period. Its position among the deliveries of its subject stays. */
  revive(tx: Transaction, tenant: string, id: string): Promise<void>;
  /**
   * Revives up to `limit` dead letters of a receiver created since a time.
   * @returns number of deliveries
   */
  reviveDead(
    tx: Transaction,
    tenant: string,
    receiverId: string,
    since: Date | undefined,
    limit: number,
  ): Promise<number>;
  /** Deletes a delivery whose lock the caller holds, and makes the next one of its receiver and subject due. */
  delete(tx: Transaction, tenant: string, id: string): Promise<void>;
  /** Returns the receiver or client of a tenant with this id. */
  findNotified(
    tx: Transaction,
    tenant: string,
    id: string,
  ): Promise<{ kind: Receiver['kind'] | 'client'; id: string } | undefined>;
  /** Returns the status of a receiver of any kind and locks it until the transaction ends. */
  receiverStatus(tx: Transaction, tenant: string, id: string): Promise<Receiver['status'] | undefined>;
}
