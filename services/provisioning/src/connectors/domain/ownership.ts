import type { Actor, TenantPolicy } from '@ostiary/events';

/** Whose a connector is: a person's, or a group's as long as there is the group. */
export interface ConnectorOwner {
  kind: 'user' | 'group';
  id: string;
}

/** An owner as the authorization server named them. */
export interface NamedOwner extends ConnectorOwner {
  /** Which naming it is: one that an end with a higher number has reached gives nothing. */
  named: number;
}

/** What becomes of the connectors of somebody who owns none any more that was theirs until then. */
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
  /** Names the owner of a connector, before it is theirs. Undefined for whoever can't own one. @throws ServiceUnavailable */
  name(tenant: string, id: string): Promise<NamedOwner | undefined>;
  /** Who owns no connector any more, until it is said to be carried out. @throws ServiceUnavailable */
  ends(): Promise<OwnershipEnd[]>;
  /** @throws ServiceUnavailable */
  carriedOut(ends: readonly EndCarriedOut[]): Promise<void>;
}

/** There is nobody with this id who could own a connector, or not any more. */
export class NoSuchOwner extends Error {}

/** The person for whom something is made; none when a program makes it on nobody's behalf, or the operator does. */
export function whoMakes({ kind, id, onBehalfOf }: Actor): string | undefined {
  return onBehalfOf ?? (kind === 'user' ? id : undefined);
}
