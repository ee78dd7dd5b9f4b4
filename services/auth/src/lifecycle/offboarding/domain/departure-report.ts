import type { Actor } from '@ostiary/events';
import type { ReportedSecret } from '../../../access/index.ts';
import type { DeliveryState } from '../../../signals/index.ts';
import type { AccessPathCounts, OwnedCounts, ReceiverKind } from '../../../tenancy/index.ts';

/** Report of an offboarding, as stored in the security log (`user.departed`). */
export interface Departure {
  /** Id of the entry in the security log. */
  id: string;
  subjectId: string;
  /** One transaction closes all access paths, so they have one time. */
  closedAt: Date;
  /** Type of the directory's event, or `directory.asked`. */
  trigger: string;
  /** Time of the change in the directory; null when the directory was asked. */
  leftAt: Date | null;
  eventId: string | null;
  /** Version of the user in the directory. */
  directoryVersion: string;
  /** Epoch of the user after the offboarding. Access tokens of earlier epochs are invalid. */
  epoch: number;
  accessPaths: AccessPathCounts & OwnedCounts;
  /**
   * Connectors that the user owned: their number, and the time since which they are disabled or transferred. Null
   * before provisioning has reported them, and if there were none.
   */
  connectors: { count: number; closedAt: Date } | null;
  /** Secrets that the user knew and that were revoked or transferred. */
  secrets: readonly (Omit<ReportedSecret, 'kind'> & { kind: string })[];
  actor: Actor;
  traceId: string | null;
}

export interface DepartureDelivery {
  departureId: string;
  id: string;
  kind: ReceiverKind;
  /** Null for a logout token, which reports no fact. */
  factType: string | null;
  receiverId: string;
  /** Null after the receiver or client was deleted. */
  receiverName: string | null;
  state: DeliveryState;
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
  createdAt: Date;
  /** Time of the delivery or of the last attempt. */
  finishedAt: Date | null;
}

export const accessPathNames = [
  'sessions',
  'grants',
  'refreshTokens',
  'delegations',
  'personalAccessTokens',
  'invitations',
  'clients',
  'serviceAccounts',
  'apiKeys',
  'initialAccessTokens',
  'knownSecrets',
] as const satisfies readonly (keyof (AccessPathCounts & OwnedCounts))[];

export interface OffboardingReports {
  /** Returns the reports of many users, newest first. */
  of(tenant: string, subjectIds: readonly string[]): Promise<Departure[]>;
  deliveriesOf(tenant: string, offboardingIds: readonly string[]): Promise<DepartureDelivery[]>;
}
