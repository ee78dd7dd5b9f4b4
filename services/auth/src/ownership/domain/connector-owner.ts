import type { Actor, TenantPolicy } from '@ostiary/events';
import type { Transaction } from '@ostiary/service';
import type { CredentialOwner } from './credential-owner.ts';

export interface NamedOwner extends CredentialOwner {
  named: number;
}

/** What becomes of the connectors of somebody who owns none any more that was theirs until then. */
export interface OwnershipEnd {
  tenant: string;
  owner: CredentialOwner;
  number: number;
  reason: string;
  verdict: TenantPolicy['ownedCredentialsOnOffboarding'];
  successor: NamedOwner | null;
  /** When tokens of connectors of other owners end, in RFC 3339; null: immediately. */
  tokensEndAt: string | null;
  actor: Actor;
}

/** What provisioning says of an end. */
export interface EndCarriedOut {
  tenant: string;
  ownerId: string;
  number: number;
  /** How many connectors it reached. */
  connectors: number;
  /** Tokens of connectors that the owner knew; left out by releases that did not record it. */
  secrets?: readonly ReportedConnectorToken[];
}

/** A token of a connector in the report of an offboarding: ended, or handed over with its value unchanged. */
export interface ReportedConnectorToken {
  kind: 'connector_token';
  secretId: string;
  /** Id of the connector. */
  credentialId: string;
  /** Owner of the connector: to notify. */
  owner: CredentialOwner | null;
  ended: boolean;
  /** RFC 3339; of a token whose end was put off. */
  endsAt?: string;
}

/** Owners of connectors, which are provisioning's. */
export interface ConnectorOwnerStore {
  /**
   * That somebody may own connectors from now on. Those are another service's, so this one knows only whose end it has to tell it of.
   * @returns the number of the naming: an end with a higher one is that of this owner
   */
  nameConnectorOwner(tx: Transaction, tenant: string, owner: CredentialOwner): Promise<number>;
  /**
   * Notes an end in the transaction in which the owner goes, for provisioning to carry out.
   * @returns its number; undefined when they were never named, and there is nothing to carry out
   */
  noteOwnershipEnd(
    tx: Transaction,
    end: Omit<OwnershipEnd, 'number'> & { epoch: number | undefined },
  ): Promise<number | undefined>;
  /** Ends that nobody has said to have carried out, in their order. */
  ownershipEndsToTell(sql: Transaction, limit: number): Promise<OwnershipEnd[]>;
  /** Notes that an end was carried out; saying so again changes nothing. Who was named no more since needs no telling of. */
  noteCarriedOut(tx: Transaction, done: readonly EndCarriedOut[]): Promise<void>;
}
