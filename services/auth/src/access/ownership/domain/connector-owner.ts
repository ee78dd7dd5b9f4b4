import type { Actor, TenantPolicy } from '@ostiary/events';
import type { Transaction } from '@ostiary/service';
import type { CredentialOwner } from './credential-owner.ts';

export interface NamedOwner extends CredentialOwner {
  named: number;
}

/** End of a user's or group's ownership of connectors, for provisioning to carry out. */
export interface OwnershipEnd {
  tenant: string;
  owner: CredentialOwner;
  number: number;
  reason: string;
  verdict: TenantPolicy['ownedCredentialsOnOffboarding'];
  successor: NamedOwner | null;
  /** Time at which tokens of connectors of other owners end, in RFC 3339; null: immediately. */
  tokensEndAt: string | null;
  actor: Actor;
}

/** Result of an end, as reported by provisioning. */
export interface EndCarriedOut {
  tenant: string;
  ownerId: string;
  number: number;
  /** Number of connectors that it affected. */
  connectors: number;
  /** Tokens of connectors that the owner knew; absent in releases that do not record it. */
  secrets?: readonly ReportedConnectorToken[];
}

/** Token of a connector in the report of an offboarding: revoked, or transferred with its value unchanged. */
export interface ReportedConnectorToken {
  kind: 'connector_token';
  secretId: string;
  /** Id of the connector. */
  credentialId: string;
  /** Name of the connector. */
  name: string;
  /** Owner of the connector, who is notified. */
  owner: CredentialOwner | null;
  ended: boolean;
  /** RFC 3339, for a token whose end was deferred. */
  endsAt?: string;
}

/** Stores the owners of connectors, which provisioning manages. */
export interface ConnectorOwnerStore {
  /**
   * Records a possible owner of connectors. Provisioning stores the connectors, so this service records only whose end
   * to report.
   * @returns the number of the naming; ends with a higher number apply to this owner
   */
  nameConnectorOwner(tx: Transaction, tenant: string, owner: CredentialOwner): Promise<number>;
  /**
   * Records an end for provisioning, in the transaction that ends the owner.
   * @returns its number; undefined for an owner that was never named, which needs no end
   */
  noteOwnershipEnd(
    tx: Transaction,
    end: Omit<OwnershipEnd, 'number'> & { epoch: number | undefined },
  ): Promise<number | undefined>;
  /** Returns the ends that are not reported as carried out, in their order. */
  ownershipEndsToTell(sql: Transaction, limit: number): Promise<OwnershipEnd[]>;
  /** Records that ends were carried out; idempotent. Deletes owners that were not named again. */
  noteCarriedOut(tx: Transaction, done: readonly EndCarriedOut[]): Promise<void>;
}
