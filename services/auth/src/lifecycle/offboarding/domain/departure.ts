import type { Revocation } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import {
  allOwnable,
  endOwned,
  type Grants,
  noneOwned,
  type Ownable,
  type OwnershipPorts,
  ownableBy,
  type RoleStore,
} from '../../../access/index.ts';
import type { EndedSession, EventPublisher, ReportedOffboarding } from '../../../tenancy/index.ts';
import {
  type AccessPathCounts,
  type ClosedAccessPaths,
  type NewRevocation,
  type OwnedCounts,
  revocationExpiry,
  type SubjectFields,
  type SubjectState,
  type SubjectStore,
  type UserChange,
} from '../../../tenancy/index.ts';
import { decideOffboarding, type OffboardingDecision, offboardingByEvent } from './decision.ts';

const offboardingReason = 'departure';

const noAccessPaths: AccessPathCounts = {
  sessions: 0,
  grants: 0,
  refreshTokens: 0,
  delegations: 0,
  personalAccessTokens: 0,
  invitations: 0,
};

export const roleRemoved = 'role removed';

export interface AccessPathStore {
  /** Revokes everything issued to a user so far. The caller holds the user and has incremented the epoch. */
  close(tx: Transaction, tenant: string, subjectId: string): Promise<ClosedAccessPaths>;
}

export interface OffboardingLog {
  /** Reports whether the offboarding at this version of the user has a report. The caller holds the user. */
  has(tx: Transaction, tenant: string, subjectId: string, version: bigint): Promise<boolean>;
}

export interface SignInEnds {
  /** Returns the sessions except the one to keep. */
  otherSessions(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    keep: string | undefined,
  ): Promise<string[]>;
  /** Returns the grants that do not depend on the session to keep. */
  otherGrants(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    keep: string | undefined,
  ): Promise<{ id: string; subjectId: string; clientId: string }[]>;
  /** Undefined if there was no session to end. */
  endSession(tx: Transaction, tenant: string, id: string): Promise<EndedSession | undefined>;
}

export interface OffboardingPorts extends OwnershipPorts {
  grants: Grants;
  /** Maximum lifetime in seconds of an access token; its revocation is kept as long. */
  accessTokenSeconds: number;
  eventPublisher: EventPublisher;
  subjectStore: SubjectStore;
  accessPaths: AccessPathStore;
  offboardingLog: OffboardingLog;
  roleStore: RoleStore;
  signInEnds: SignInEnds;
}

/** Effects to apply after the commit. */
export interface AppliedUserChange {
  revocations: Revocation[];
  reported?: ReportedOffboarding;
}

/**
 * Applies an event about a user, or an answer of the directory, in the caller's transaction. Offboards the user if it
 * reports an offboarding.
 */
export async function applyUserChange(
  tx: Transaction,
  tenant: string,
  change: UserChange,
  ports: OffboardingPorts,
): Promise<AppliedUserChange> {
  const first = decideOffboarding(undefined, change);
  const fields = { ...change, active: change.active && !change.deleted };
  const { state, created } = await ports.subjectStore.lock(tx, tenant, change.id, {
    ...fields,
    departedVersion: first.departedVersion,
    reportedVersion: first.report?.departure.version ?? 0n,
  });
  const decision = created ? first : decideOffboarding(state, change);
  const departure = await offboardingToReport(tx, tenant, change, decision, ports);
  if (!created) await storeUserChange(tx, tenant, { change, fields, state, decision, departure }, ports);
  const revocations = await carryOut(tx, tenant, { id: change.id, state, decision, departure }, ports);
  if (decision.store && change.deleted && !change.restorable)
    await ports.subjectStore.forget(tx, tenant, change.id);
  return { revocations, ...(departure && { reported: departure }) };
}

/**
 * Returns the offboarding to report now. Every revocation is reported, if necessary under the event that revealed it.
 */
async function offboardingToReport(
  tx: Transaction,
  tenant: string,
  change: UserChange,
  { report, revoke }: OffboardingDecision,
  { offboardingLog }: OffboardingPorts,
): Promise<ReportedOffboarding | undefined> {
  if (!report?.onlyIfMissing) return report?.departure;
  const { departure } = report;
  if (!(await offboardingLog.has(tx, tenant, change.id, departure.version))) return departure;
  return revoke ? offboardingByEvent(change) : undefined;
}

async function storeUserChange(
  tx: Transaction,
  tenant: string,
  {
    change,
    fields,
    state,
    decision,
    departure,
  }: {
    change: UserChange;
    fields: Omit<SubjectFields, 'departedVersion' | 'reportedVersion'>;
    state: SubjectState;
    decision: OffboardingDecision;
    departure: ReportedOffboarding | undefined;
  },
  { subjectStore }: OffboardingPorts,
): Promise<void> {
  const { departedVersion } = decision;
  const reported = departure?.version ?? 0n;
  const reportedVersion = reported > state.reportedVersion ? reported : state.reportedVersion;
  const versions = { departedVersion, reportedVersion };
  if (decision.store) await subjectStore.store(tx, tenant, change.id, { ...fields, ...versions });
  else if (departedVersion > state.departedVersion || reportedVersion > state.reportedVersion)
    await subjectStore.noteDeparted(tx, tenant, change.id, versions);
}

/** Revokes and reports. An offboarding that revokes nothing is reported too. */
async function carryOut(
  tx: Transaction,
  tenant: string,
  {
    id,
    state,
    decision,
    departure,
  }: {
    id: string;
    state: SubjectState;
    decision: OffboardingDecision;
    departure: ReportedOffboarding | undefined;
  },
  ports: OffboardingPorts,
): Promise<Revocation[]> {
  if (decision.revoke)
    return (await closeAccessPaths(tx, tenant, id, offboardingReason, ports, departure)).revocations;
  if (departure) {
    await ports.eventPublisher.doorsClosed(tx, tenant, {
      subjectId: id,
      epoch: { before: state.epoch, after: state.epoch },
      reason: offboardingReason,
      closed: { sessions: [], clients: [], counts: { ...noAccessPaths, ...noneOwned } },
      departure,
    });
  }
  return [];
}

/**
 * Reports whether the event is a plain update of an active user. Such events only replace older versions, many of them
 * in one statement.
 */
export const isPlain = (change: UserChange): boolean =>
  change.active && !change.deleted && !change.reactivated;

/** Stores plain updates of distinct users in one statement. */
export const applyPlainChanges = (
  ports: { subjectStore: SubjectStore },
  tx: Transaction,
  changes: readonly { tenant: string; change: UserChange }[],
): Promise<void> =>
  ports.subjectStore.storePresent(
    tx,
    changes.map(({ tenant, change: { id, version, profile } }) => ({ tenant, id, version, profile })),
  );

/**
 * Revokes everything issued to a subject so far: sessions, grants, refresh tokens, personal access tokens, and through
 * the new epoch every access token. A concurrent sign-in or exchange either waits for the subject's lock and finds the
 * new state, or was written before and is revoked here.
 * @param departure the offboarding that caused the revocation, if any
 * @returns feed entries to publish after the commit, and the number of closed access paths by kind
 */
export async function closeAccessPaths(
  tx: Transaction,
  tenant: string,
  subjectId: string,
  reason: string,
  ports: OffboardingPorts,
  departure?: ReportedOffboarding,
): Promise<{ revocations: Revocation[]; counts: AccessPathCounts & OwnedCounts }> {
  // Runs first, because it locks the row if the caller does not hold it.
  const epoch = await ports.subjectStore.nextEpoch(tx, tenant, subjectId);
  const expiresAt = revocationExpiry(ports.accessTokenSeconds);
  const ended = await ports.accessPaths.close(tx, tenant, subjectId);
  // Clients, service accounts and API keys that only this user owns end with the user, or with the right to own them.
  const kinds = await ownedNoLonger(ports, tx, tenant, { subjectId, reason, departure });
  const going = {
    owner: { kind: 'user', id: subjectId },
    kinds,
    epoch,
    lostRole: !departure,
    reason: `owner: ${reason}`,
    actor: departure?.actor,
    expiresAt,
  } as const;
  const owned =
    kinds.length > 0
      ? await endOwned(tx, tenant, going, ports)
      : { revocations: [], counts: noneOwned, secrets: [] };
  const closed = { ...ended, counts: { ...ended.counts, ...owned.counts } };
  await ports.eventPublisher.doorsClosed(tx, tenant, {
    subjectId,
    epoch: { before: epoch - 1, after: epoch },
    reason,
    closed,
    secrets: owned.secrets,
    departure,
  });
  // The entry of the subject covers those of its grants.
  const entry: NewRevocation = { tenant, kind: 'subject', key: subjectId, epoch, expiresAt };
  const own = await ports.revocations.append(tx, [entry], reason);
  return { revocations: [...own, ...owned.revocations], counts: closed.counts };
}

/**
 * Offboarding revokes everything the user owns. Losing a role revokes the kinds that the remaining roles do not permit.
 */
async function ownedNoLonger(
  ports: OffboardingPorts,
  tx: Transaction,
  tenant: string,
  {
    subjectId,
    reason,
    departure,
  }: { subjectId: string; reason: string; departure: ReportedOffboarding | undefined },
): Promise<readonly Ownable[]> {
  if (departure) return allOwnable;
  if (reason !== roleRemoved) return [];
  const still = await ownableBy(ports, tx, tenant, subjectId);
  return allOwnable.filter((kind) => !still.includes(kind));
}

/**
 * Ends the sessions of an active user, except the one to keep, and every grant that does not depend on it. Personal
 * access tokens stay valid. The caller holds the subject, which orders concurrent sign-ins before or after.
 * @returns feed entries to publish after the commit
 */
export async function endSignIns(
  tx: Transaction,
  tenant: string,
  person: { subjectId: string; keep?: string },
  reason: string,
  ports: OffboardingPorts,
): Promise<Revocation[]> {
  const { subjectId, keep } = person;
  const entries: NewRevocation[] = [];
  const sessions: EndedSession[] = [];
  for (const id of await ports.signInEnds.otherSessions(tx, tenant, subjectId, keep)) {
    const ended = await ports.signInEnds.endSession(tx, tenant, id);
    if (!ended) continue;
    sessions.push(ended);
    // The entry of the session covers the access tokens of its grants, but not the tokens that clients created under
    // them.
    const ofGrants = await ports.grants.revokeBySession(tx, tenant, id);
    entries.push(...ofGrants.filter(({ kind }) => kind === 'jti'));
    entries.push({
      tenant,
      kind: 'session',
      key: id,
      expiresAt: revocationExpiry(ports.accessTokenSeconds),
    });
  }
  await ports.eventPublisher.sessionsEnded(tx, tenant, sessions, reason);
  for (const { id, ...grant } of await ports.signInEnds.otherGrants(tx, tenant, subjectId, keep)) {
    const revoked = await ports.grants.revoke(tx, tenant, id);
    entries.push(...revoked);
    if (revoked.length > 0) await ports.eventPublisher.grantsEnded(tx, tenant, [grant], reason);
  }
  return ports.revocations.append(tx, entries, reason);
}
