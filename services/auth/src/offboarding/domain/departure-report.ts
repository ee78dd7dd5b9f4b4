import type { Actor } from '@ostiary/events';
import type { ReceiverKind } from '../../events/index.ts';
import type { ReportedSecret } from '../../ownership/index.ts';
import type { DeliveryState } from '../../signals/index.ts';
import type { DoorCounts, OwnedCounts } from '../../subjects/index.ts';

/** How everything of a person was ended when they left, as the security log remembers it (`user.departed`). */
export interface Departure {
  /** Of the log's entry. */
  id: string;
  subjectId: string;
  /** All doors close together: one transaction ends everything. */
  closedAt: Date;
  /** The type of the directory's event that said so, or `directory.asked`. */
  trigger: string;
  /** When the directory was told; null when it was asked. */
  leftAt: Date | null;
  eventId: string | null;
  /** Of the person's record in the directory. */
  directoryVersion: string;
  /** The person's from then on: access tokens of an older one are worth nothing. */
  epoch: number;
  doors: DoorCounts & OwnedCounts;
  /**
   * Connectors that the person owned: how many, and since when they are ended, or another's. Null while provisioning hasn't said so, and
   * when they never owned any.
   */
  connectors: { count: number; closedAt: Date } | null;
  /** Secrets that the user knew: ended, or handed over. */
  secrets: readonly (Omit<ReportedSecret, 'kind'> & { kind: string })[];
  actor: Actor;
  traceId: string | null;
}

/** What somebody outside was told of a departure. */
export interface DepartureDelivery {
  departureId: string;
  id: string;
  kind: ReceiverKind;
  /** Null: a logout token, which tells of no fact. */
  factType: string | null;
  receiverId: string;
  /** Null when the receiver or client is gone. */
  receiverName: string | null;
  state: DeliveryState;
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
  createdAt: Date;
  /** When it was delivered, or given up. */
  finishedAt: Date | null;
}

export const doorNames = [
  'sessions',
  'grants',
  'refreshTokens',
  'personalAccessTokens',
  'invitations',
  'clients',
  'serviceAccounts',
  'apiKeys',
  'initialAccessTokens',
  'knownSecrets',
] as const satisfies readonly (keyof (DoorCounts & OwnedCounts))[];

/** Reads the reports of departures. */
export interface DepartureReports {
  /** Of many people, newest first. */
  of(tenant: string, subjectIds: readonly string[]): Promise<Departure[]>;
  deliveriesOf(tenant: string, departureIds: readonly string[]): Promise<DepartureDelivery[]>;
}
