import type { Transaction } from '@ostiary/service';

export type LinkedType = 'User' | 'Group';

/** What one event says of a resource and its sources. */
export interface ResourceState {
  tenant: string;
  resourceType: LinkedType;
  resourceId: string;
  version: number;
  externalIds: Readonly<Record<string, string>>;
  /** The source that made the change, if one did. */
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
  /** Brings the links of resources up to one event each; no resource may be there twice. Events may come in any order. */
  project(tx: Transaction, states: readonly ResourceState[]): Promise<void>;
  /** The links of several resources, oldest source first. */
  linksOf(
    sql: Transaction,
    tenant: string,
    resourceType: LinkedType,
    ids: readonly string[],
  ): Promise<ResourceLink[]>;
}
