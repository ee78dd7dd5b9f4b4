import type { Caller } from '@ostiary/access';
import type { Actor, TenantPolicy } from '@ostiary/events';
import type { Transaction } from '@ostiary/service';

/** Whose a connector is: a user's, or a group's as long as there is the group. */
export interface ConnectorOwner {
  kind: 'user' | 'group';
  id: string;
}

/** An owner as the authorization server named them. */
export interface NamedOwner extends ConnectorOwner {
  /** Which naming it is: one that an end with a higher number has reached gives nothing. */
  named: number;
}

/** What becomes of the connectors of an owner who may own none any more. */
export interface OwnershipEnd {
  tenant: string;
  owner: ConnectorOwner;
  number: number;
  /** What happened, for the log. */
  reason: string;
  verdict: TenantPolicy['ownedCredentialsOnOffboarding'];
  successor: NamedOwner | null;
  actor: Actor;
}

/** What came of an end. */
export interface EndCarriedOut {
  tenant: string;
  ownerId: string;
  number: number;
  /** How many connectors it reached. */
  connectors: number;
}

/** The authorization server, which knows who is there, who has which role, and when either ended. */
export interface Owners {
  /** Names the owner of a connector, before it is theirs. Undefined for one that can't own any. @throws ServiceUnavailable */
  name(tenant: string, id: string): Promise<NamedOwner | undefined>;
  /**
   * Names the owner of a connector that these callers create; null when a program of the platform operator does.
   * @throws NoSuchOwner, ServiceUnavailable
   */
  nameCallers(tenant: string, callers: readonly Caller[]): Promise<NamedOwner | null>;
  /** Who owns no connector any more, until it is said to be carried out. @throws ServiceUnavailable */
  ends(): Promise<OwnershipEnd[]>;
  /** @throws ServiceUnavailable */
  carriedOut(ends: readonly EndCarriedOut[]): Promise<void>;
}

/** There is nobody with this id who could own a connector, or not any more. */
export class NoSuchOwner extends Error {}

/** An owner without the number of the naming, which is of no use to anybody. */
export const shownOwner = ({ kind, id }: ConnectorOwner): ConnectorOwner => ({ kind, id });

/** The last end of ownership that an owner's connectors have been through. */
export interface LastEnd {
  number: number;
  /** How many connectors it reached. */
  connectors: number;
}

/** A connector of an owner that ends. */
export interface OwnedConnector {
  id: string;
  status: 'active' | 'disabled';
  version: number;
  /** Ids of its live tokens. */
  tokens: string[];
}

/** Owners of connectors: each has a row that namings and ends are ordered by. */
export interface OwnerStore {
  /** Locks the row, made if there was none: shared by namings, alone for an end. */
  lock(tx: Transaction, tenant: string, id: string, mode: 'SHARE' | 'UPDATE'): Promise<LastEnd>;
  /** Connectors that the owner was named for before the end, locked. */
  ownedBefore(tx: Transaction, tenant: string, ownerId: string, end: number): Promise<OwnedConnector[]>;
  revokeTokens(tx: Transaction, tenant: string, connectorId: string): Promise<void>;
  disable(tx: Transaction, tenant: string, connectorId: string): Promise<void>;
  noteEnd(tx: Transaction, tenant: string, ownerId: string, end: LastEnd): Promise<void>;
}

/**
 * Holds an owner to be until the transaction ends: their end comes before, and is found here, or finds the connector.
 * @throws NoSuchOwner when they ended since they were named
 */
export async function holdOwner(
  owners: OwnerStore,
  tx: Transaction,
  tenant: string,
  owner: NamedOwner,
): Promise<void> {
  const { number } = await owners.lock(tx, tenant, owner.id, 'SHARE');
  if (number > owner.named) throw new NoSuchOwner();
}
