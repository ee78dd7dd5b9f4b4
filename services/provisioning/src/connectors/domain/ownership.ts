import type { Caller } from '@ostiary/access';
import type { Actor, TenantPolicy } from '@ostiary/events';
import type { Transaction } from '@ostiary/service';

/** The owner of a connector: a user, or a group as long as it exists. */
export interface ConnectorOwner {
  kind: 'user' | 'group';
  id: string;
}

/** An owner as named by the authorization server. */
export interface NamedOwner extends ConnectorOwner {
  /** Number of the naming. It is void after an end with a higher number. */
  named: number;
}

/** Callers as named by the authorization server. */
export interface NamedCallers {
  owner: NamedOwner | null;
  /** Users and groups that know the tokens that the callers receive. */
  knownTo: NamedOwner[];
}

/** The end of a user's or group's ownership of connectors. */
export interface OwnershipEnd {
  tenant: string;
  owner: ConnectorOwner;
  number: number;
  /** Reason, for the log. */
  reason: string;
  verdict: TenantPolicy['ownedCredentialsOnOffboarding'];
  successor: NamedOwner | null;
  /** Time at which tokens of other owners' connectors end, in RFC 3339; immediately when absent. */
  tokensEndAt?: string | null;
  actor: Actor;
}

/** The result of an end. */
export interface EndCarriedOut {
  tenant: string;
  ownerId: string;
  number: number;
  /** Number of affected connectors. */
  connectors: number;
  /** Tokens that the owner knew, of any connector. */
  secrets: ReportedToken[];
}

/** A token in the report of an offboarding: ended, or transferred with its value unchanged. */
export interface ReportedToken {
  kind: 'connector_token';
  secretId: string;
  /** Id of the connector. */
  credentialId: string;
  /** Name of the connector. */
  name: string;
  /** Owner of the connector, to be notified. */
  owner: ConnectorOwner | null;
  ended: boolean;
  /** RFC 3339, for a token whose end was postponed. */
  endsAt?: string;
}

/** The authorization server, which stores users, their roles, and the ends of both. */
export interface Owners {
  /**
   * Names the owner of a connector before the assignment; undefined for one that cannot own any. @throws
   * ServiceUnavailable
   */
  name(tenant: string, id: string): Promise<NamedOwner | undefined>;
  /**
   * Names the owner of a connector that these callers create, null for a program of the platform operator, and all
   * users and groups that know a token that the callers receive.
   * @param owning whether they create a connector; otherwise they receive a token of one
   * @throws NoSuchOwner, ServiceUnavailable
   */
  nameCallers(tenant: string, callers: readonly Caller[], owning: boolean): Promise<NamedCallers>;
  /** Returns the pending ends of ownership, until they are reported as applied. @throws ServiceUnavailable */
  ends(): Promise<OwnershipEnd[]>;
  /** @throws ServiceUnavailable */
  carriedOut(ends: readonly EndCarriedOut[]): Promise<void>;
}

/** No user or group with this id may own a connector, or no longer. */
export class NoSuchOwner extends Error {}

/** Returns an owner without the number of the naming, which is internal. */
export const shownOwner = ({ kind, id }: ConnectorOwner): ConnectorOwner => ({ kind, id });

/** The last end of ownership that was applied to an owner's connectors. */
export interface LastEnd {
  number: number;
  /** Number of affected connectors. */
  connectors: number;
  /** Affected tokens, of any connector. */
  secrets: ReportedToken[];
}

/** A connector of an owner whose ownership ends. */
export interface OwnedConnector {
  id: string;
  status: 'active' | 'disabled';
  version: number;
  /** Ids of its live tokens. */
  tokens: string[];
}

/** Owners of connectors. Each has a row whose lock orders namings and ends. */
export interface OwnerStore {
  /** Locks the row, which is created if missing: shared for namings, exclusively for an end. */
  lock(tx: Transaction, tenant: string, id: string, mode: 'SHARE' | 'UPDATE'): Promise<LastEnd>;
  /** Returns connectors with a naming of the owner before the end, locked. */
  ownedBefore(tx: Transaction, tenant: string, ownerId: string, end: number): Promise<OwnedConnector[]>;
  revokeTokens(tx: Transaction, tenant: string, connectorId: string): Promise<void>;
  disable(tx: Transaction, tenant: string, connectorId: string): Promise<void>;
  noteEnd(tx: Transaction, tenant: string, ownerId: string, end: LastEnd): Promise<void>;
  /** Returns live tokens that are known to a user or group by a naming before the end, with their connectors locked. */
  tokensKnownBefore(tx: Transaction, tenant: string, ownerId: string, end: number): Promise<KnownToken[]>;
  revokeToken(tx: Transaction, tenant: string, tokenId: string): Promise<void>;
  /** Makes a token expire at that time, unless it expires before. @returns its time of expiry */
  expireToken(tx: Transaction, tenant: string, tokenId: string, at: Date): Promise<Date>;
  /** Replaces one of the users or groups that know a token. */
  replaceKnower(
    tx: Transaction,
    tenant: string,
    tokenId: string,
    knowerId: string,
    successor: NamedOwner,
  ): Promise<void>;
}

/** A live token with its connector. */
export interface KnownToken {
  id: string;
  connectorId: string;
  /** Name of the connector. */
  name: string;
  owner: ConnectorOwner | null;
}

/**
 * Locks a new owner until the transaction ends. A concurrent end is either found here, or finds the connector.
 * @throws NoSuchOwner when the ownership ended after the naming
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

/** Locks all users and groups that will know a token, until the transaction ends. @throws NoSuchOwner */
export async function holdKnowers(
  owners: OwnerStore,
  tx: Transaction,
  tenant: string,
  knownTo: readonly NamedOwner[],
): Promise<void> {
  // Sorted, so that concurrent requests with several cannot deadlock.
  for (const knower of [...knownTo].sort((a, b) => (a.id < b.id ? -1 : 1)))
    await holdOwner(owners, tx, tenant, knower);
}
