import type { Transaction } from '@ostiary/service';
import { type FactSubject, subjectKeyOf } from './facts.ts';
import type { Cursor } from './order.ts';

export interface OrderedSubject extends FactSubject {
  tenant: string;
}

export interface LockedCursor extends Cursor {
  /** Version of the user that this service applied last; null for unknown subjects. */
  heardOf: bigint | null;
  /** Time in seconds since the cursor moved. */
  idleSeconds: number;
}

/** Positions of the published facts of each subject, in the order of versions. */
export interface FactCursors {
  /** Returns the tenants that have receivers of user or group events. */
  tenantsToTell(sql: Transaction, tenants: readonly string[]): Promise<Set<string>>;
  /** Locks the cursors of distinct subjects in one order, creating missing ones. */
  lockCursors(tx: Transaction, subjects: readonly OrderedSubject[]): Promise<Map<string, LockedCursor>>;
  /** Stores cursors. The caller holds their locks. */
  moveCursors(tx: Transaction, moved: readonly (OrderedSubject & { cursor: Cursor })[]): Promise<void>;
  /**
   * Releases held deliveries of these versions in their order, after all deliveries written so far. @returns their
   * number
   */
  releaseHeld(tx: Transaction, released: readonly (OrderedSubject & { version: bigint })[]): Promise<number>;
}

/** Returns the key `tenant kind:id`. */
export const orderKey = ({ tenant, ...subject }: OrderedSubject): string =>
  `${tenant} ${subjectKeyOf(subject)}`;
