import type { Transaction } from '@ostiary/service';

export type LinkedType = 'User' | 'Group';

/** The state of a resource and its sources in one event. */
export interface ResourceState {
  tenant: string;
  resourceType: LinkedType;
  resourceId: string;
  version: number;
  externalIds: Readonly<Record<string, string>>;
  /** The source of the change, if any. */
  source: string | undefined;
  changedAt: Date;
  deleted: boolean;
}

export interface ResourceLink {
  resourceId: string;
  source: string;
  externalId: string | null;
  lastChangedAt: Date | null;
}

export interface ResourceLinks {
  /** Applies one event each to the links of resources; no resource may occur twice. Events may arrive in any order. */
  project(tx: Transaction, states: readonly ResourceState[]): Promise<void>;
  /** Returns the links of several resources, oldest source first. */
  linksOf(
    sql: Transaction,
    tenant: string,
    resourceType: LinkedType,
    ids: readonly string[],
  ): Promise<ResourceLink[]>;
}
