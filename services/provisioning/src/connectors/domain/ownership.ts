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

/** Callers as the authorization server named them. */
export interface NamedCallers {
  owner: NamedOwner | null;
  /** Users and groups that know what the callers receive. */
  knownTo: NamedOwner[];
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
  /** When tokens of connectors of other owners end, in RFC 3339; immediately when there is none. */
  tokensEndAt?: string | null;
  actor: Actor;
}

/** What came of an end. */
export interface EndCarriedOut {
  tenant: string;
  ownerId: string;
  number: number;
  /** How many connectors it reached. */
  connectors: number;
  /** Tokens that the owner knew, of any connector. */
  secrets: ReportedToken[];
}

/** A token in the report of an offboarding: ended, or handed over with its value unchanged. */
export interface ReportedToken {
  kind: 'connector_token';
  secretId: string;
  /** Id of the connector. */
  credentialId: string;
  /** Owner of the connector: to notify. */
  owner: ConnectorOwner | null;
  ended: boolean;
  /** RFC 3339; of a token whose end was put off. */
  endsAt?: string;
}

/** The authorization server, which knows who is there, who has which role, and when either ended. */
export interface Owners {
  /** Names the owner of a connector, before it is theirs. Undefined for one that can't own any. @throws ServiceUnavailable */
  name(tenant: string, id: string): Promise<NamedOwner | undefined>;
  /**
   * Names the owner of a connector that these callers create, null when a program of the platform operator does, and everyone who knows
   * a token that they receive.
   * @param owning whether they create a connector; otherwise they receive a token of one
   * @throws NoSuchOwner, ServiceUnavailable
   */
  nameCallers(tenant: string, callers: readonly Caller[], owning: boolean): Promise<NamedCallers>;
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
  /** Tokens that it reached, of any connector. */
  secrets: ReportedToken[];
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
  /** Live tokens that a user or group named before the end knows, with their connectors locked. */
  tokensKnownBefore(tx: Transaction, tenant: string, ownerId: string, end: number): Promise<KnownToken[]>;
  revokeToken(tx: Transaction, tenant: string, tokenId: string): Promise<void>;
  /** Lets a token expire at that time, unless it expires before. @returns when it expires */
  expireToken(tx: Transaction, tenant: string, tokenId: string, at: Date): Promise<Date>;
  /** Records another user or group instead of one that knew a token. */
  replaceKnower(
    tx: Transaction,
    tenant: string,
    tokenId: string,
    knowerId: string,
    successor: NamedOwner,
  ): Promise<void>;
}

/** A live token and the connector that it belongs to. */
export interface KnownToken {
  id: string;
  connectorId: string;
  owner: ConnectorOwner | null;
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

/** Holds everyone who is to know a token, until the transaction ends. @throws NoSuchOwner */
export async function holdKnowers(
  owners: OwnerStore,
  tx: Transaction,
  tenant: string,
  knownTo: readonly NamedOwner[],
): Promise<void> {
  // In one order, so that requests that hold several do not wait for each other in a ring.
  for (const knower of [...knownTo].sort((a, b) => (a.id < b.id ? -1 : 1)))
    await holdOwner(owners, tx, tenant, knower);
}
