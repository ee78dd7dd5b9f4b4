import type { Sql } from '@ostiary/database';
import type { Connection } from '../../../platform/database/data/connection.ts';
import type { HeldCredential } from '../domain/held-credential.ts';

/** Storage of clients and initial access tokens as owned credentials, contributed by the district of their tables. */
export interface OwnedClients {
  /** Queries of the column `epoch` of a program, with the parameters `$tenant`, `$id` and `$uuid` (the id, if it is a UUID). */
  epochs: readonly string[];
  /** Returns the enabled clients of an owner and locks them, in one order. */
  live(tx: Sql, tenant: string, ownerId: string): Promise<string[]>;
  /** Returns the disabled clients of an owner that could authenticate after being enabled, and locks them. */
  dormant(tx: Sql, tenant: string, ownerId: string): Promise<string[]>;
  /** Locks the clients that a user or group owns or knows a secret of, in one order. */
  hold(tx: Sql, tenant: string, knowerId: string): Promise<void>;
  holdForTransfer(tx: Sql, tenant: string, clientId: string): Promise<HeldCredential | undefined>;
  advanceVersion(tx: Connection, tenant: string, clientId: string): Promise<void>;
  /** Increments the epoch, and keeps the grants of users. @returns the epoch */
  nextEpoch(tx: Sql, tenant: string, clientId: string): Promise<number | undefined>;
  /** Disables a client. @param forGood also deletes its secrets, public keys and registration access token */
  disable(tx: Connection, tenant: string, clientId: string, forGood: boolean): Promise<number>;
  /** Deletes the initial access tokens of an owner. @returns those that were usable */
  endInitialAccessTokens(tx: Sql, tenant: string, ownerId: string): Promise<{ id: string; name: string }[]>;
}
