import type { Transaction } from '@ostiary/service';
import { type FactSubject, subjectKeyOf } from './facts.ts';
import type { Cursor } from './order.ts';

/** A subject whose facts have an order of their own. */
export interface OrderedSubject extends FactSubject {
  tenant: string;
}

export interface LockedCursor extends Cursor {
  /** The version of the person that this service heard of last; null for who or what it hasn't heard of. */
  heardOf: bigint | null;
  /** Seconds since it moved. */
  idleSeconds: number;
}

/** How far the facts of each subject were told in the order of their versions. */
export interface FactCursors {
  /** Which of these tenants have somebody who wants to know of their users or groups. */
  tenantsToTell(sql: Transaction, tenants: readonly string[]): Promise<Set<string>>;
  /** Locks the cursors of these subjects, none of them twice, making those that don't exist; always in one order. */
  lockCursors(tx: Transaction, subjects: readonly OrderedSubject[]): Promise<Map<string, LockedCursor>>;
  /** Writes cursors back, whose locks the caller holds. */
  moveCursors(tx: Transaction, moved: readonly (OrderedSubject & { cursor: Cursor })[]): Promise<void>;
  /** Lets held deliveries of these versions go, in their order, after all that was written so far. @returns how many */
  releaseHeld(tx: Transaction, released: readonly (OrderedSubject & { version: bigint })[]): Promise<number>;
}

/** By `tenant kind:id`. */
export const orderKey = ({ tenant, ...subject }: OrderedSubject): string =>
  `${tenant} ${subjectKeyOf(subject)}`;
