import type { Revocation } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import type { EndedSession, EventPublisher, ReportedDeparture } from '../../events/index.ts';
import type { Grants } from '../../grants/index.ts';
import {
  allOwnable,
  endOwned,
  noneOwned,
  type Ownable,
  type OwnershipPorts,
  ownableBy,
} from '../../ownership/index.ts';
import {
  type ClosedDoors,
  type DoorCounts,
  type NewRevocation,
  type OwnedCounts,
  revocationExpiry,
  type SubjectFields,
  type SubjectNews,
  type SubjectState,
  type SubjectStore,
} from '../../subjects/index.ts';
import { decideOffboarding, departureByEvent, type OffboardingDecision } from './decision.ts';

/** Reason of a revocation that carries out a departure. */
const departureReason = 'departure';

const noDoors: DoorCounts = {
  sessions: 0,
  grants: 0,
  refreshTokens: 0,
  personalAccessTokens: 0,
  invitations: 0,
};

/** The reason of an end that began with a role that was taken away. */
export const roleRemoved = 'role removed';

/** What is open to a user. */
export interface DoorStore {
  /** Ends what was issued to a user so far. The caller holds the user and has counted their epoch up. */
  close(tx: Transaction, tenant: string, subjectId: string): Promise<ClosedDoors>;
}

/** The reports of departures, as the security log keeps them. */
export interface DepartureLog {
  /** Reports whether the departure at this version of the user has a report. The caller holds the user. */
  has(tx: Transaction, tenant: string, subjectId: string, version: bigint): Promise<boolean>;
}

/** What was begun by signing in, of a user who stays. */
export interface SignInEnds {
  /** Sessions but for the one to keep. */
  otherSessions(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    keep: string | undefined,
  ): Promise<string[]>;
  /** Grants that don't hang on the session to keep. */
  otherGrants(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    keep: string | undefined,
  ): Promise<{ id: string; subjectId: string; clientId: string }[]>;
  /** Undefined when there was none to end. */
  endSession(tx: Transaction, tenant: string, id: string): Promise<EndedSession | undefined>;
}

export interface DeparturePorts extends OwnershipPorts {
  grants: Pick<Grants, 'revokeBySession' | 'revoke' | 'revokeByClient'>;
  /** Seconds an access token may still live: how long its revocation has to be remembered. */
  accessTokenSeconds: number;
  eventPublisher: Pick<EventPublisher, 'clientEnded' | 'doorsClosed' | 'grantsEnded' | 'sessionsEnded'>;
  subjectStore: Pick<
    SubjectStore,
    'lock' | 'store' | 'storePresent' | 'noteDeparted' | 'nextEpoch' | 'forget'
  >;
  doors: DoorStore;
  departureLog: DepartureLog;
  /** The roles of many subjects, by subject id. */
  roleStore: {
    rolesOf(
      tx: Transaction,
      tenant: string,
      subjectIds: readonly string[],
    ): Promise<ReadonlyMap<string, string[]>>;
  };
  signInEnds: SignInEnds;
}

/** What the caller does after the commit. */
export interface AppliedNews {
  /** Entries of the revocation feed to publish. */
  revocations: Revocation[];
  /** The departure that was reported now. */
  reported?: ReportedDeparture;
}

/** Applies an event about a user, or an answer of the directory, in the caller's transaction; offboards the user if it reports a departure. */
export async function applyNews(
  tx: Transaction,
  tenant: string,
  news: SubjectNews,
  ports: DeparturePorts,
): Promise<AppliedNews> {
  const first = decideOffboarding(undefined, news);
  const fields = { ...news, active: news.active && !news.deleted };
  const { state, created } = await ports.subjectStore.lock(tx, tenant, news.id, {
    ...fields,
    departedVersion: first.departedVersion,
    reportedVersion: first.report?.departure.version ?? 0n,
  });
  const decision = created ? first : decideOffboarding(state, news);
  const departure = await departureToReport(tx, tenant, news, decision, ports);
  if (!created) await storeNews(tx, tenant, { news, fields, state, decision, departure }, ports);
  const revocations = await carryOut(tx, tenant, { id: news.id, state, decision, departure }, ports);
  if (decision.store && news.deleted && !news.restorable)
    await ports.subjectStore.forget(tx, tenant, news.id);
  return { revocations, ...(departure && { reported: departure }) };
}

/** The departure that gets a report now. What is revoked is always reported, if need be under the event that revealed it. */
async function departureToReport(
  tx: Transaction,
  tenant: string,
  news: SubjectNews,
  { report, revoke }: OffboardingDecision,
  { departureLog }: DeparturePorts,
): Promise<ReportedDeparture | undefined> {
  if (!report?.onlyIfMissing) return report?.departure;
  const { departure } = report;
  if (!(await departureLog.has(tx, tenant, news.id, departure.version))) return departure;
  return revoke ? departureByEvent(news) : undefined;
}

async function storeNews(
  tx: Transaction,
  tenant: string,
  {
    news,
    fields,
    state,
    decision,
    departure,
  }: {
    news: SubjectNews;
    fields: Omit<SubjectFields, 'departedVersion' | 'reportedVersion'>;
    state: SubjectState;
    decision: OffboardingDecision;
    departure: ReportedDeparture | undefined;
  },
  { subjectStore }: DeparturePorts,
): Promise<void> {
  const { departedVersion } = decision;
  const reported = departure?.version ?? 0n;
  const reportedVersion = reported > state.reportedVersion ? reported : state.reportedVersion;
  const versions = { departedVersion, reportedVersion };
  if (decision.store) await subjectStore.store(tx, tenant, news.id, { ...fields, ...versions });
  else if (departedVersion > state.departedVersion || reportedVersion > state.reportedVersion)
    await subjectStore.noteDeparted(tx, tenant, news.id, versions);
}

/** Revokes, and reports the departure; one that revokes nothing is reported all the same. */
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
    departure: ReportedDeparture | undefined;
  },
  ports: DeparturePorts,
): Promise<Revocation[]> {
  if (decision.revoke)
    return (await closeDoors(tx, tenant, id, departureReason, ports, departure)).revocations;
  if (departure) {
    await ports.eventPublisher.doorsClosed(tx, tenant, {
      subjectId: id,
      epoch: { before: state.epoch, after: state.epoch },
      reason: departureReason,
      closed: { sessions: [], clients: [], counts: { ...noDoors, ...noneOwned } },
      departure,
    });
  }
  return [];
}

/** Returns whether the event is a plain update of an active user. Such events only replace older versions, many of them in one statement. */
export const isPlain = (news: SubjectNews): boolean => news.active && !news.deleted && !news.reactivated;

/** Takes in plain news about many people, none of them twice, in one statement. */
export const takePlainNews = (
  ports: { subjectStore: Pick<SubjectStore, 'storePresent'> },
  tx: Transaction,
  news: readonly { tenant: string; news: SubjectNews }[],
): Promise<void> =>
  ports.subjectStore.storePresent(
    tx,
    news.map(({ tenant, news: { id, version, profile } }) => ({ tenant, id, version, profile })),
  );

/**
 * Ends everything issued to a subject so far: sessions, grants, refresh tokens, personal access tokens, and by the new
 * epoch every access token. What a racing sign-in or exchange creates meanwhile either waits for the subject's lock and finds the
 * new state, or was written before and is found here.
 * @param departure the departure that this carries out, if it is one
 * @returns feed entries to publish after the commit, and how much was open of each kind
 */
export async function closeDoors(
  tx: Transaction,
  tenant: string,
  subjectId: string,
  reason: string,
  ports: DeparturePorts,
  departure?: ReportedDeparture,
): Promise<{ revocations: Revocation[]; counts: DoorCounts & OwnedCounts }> {
  // First of all, because it locks the row if the caller hasn't.
  const epoch = await ports.subjectStore.nextEpoch(tx, tenant, subjectId);
  const expiresAt = revocationExpiry(ports.accessTokenSeconds);
  const ended = await ports.doors.close(tx, tenant, subjectId);
  // What runs by itself goes with whoever owned it alone: when they leave, or may not have it any more.
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
  // The subject's entry covers those of its grants.
  const entry: NewRevocation = { tenant, kind: 'subject', key: subjectId, epoch, expiresAt };
  const own = await ports.revocations.append(tx, [entry], reason);
  return { revocations: [...own, ...owned.revocations], counts: closed.counts };
}

/** Who leaves owns nothing any more; who loses a role, what no other role of theirs lets them have. */
async function ownedNoLonger(
  ports: Pick<DeparturePorts, 'roleStore'>,
  tx: Transaction,
  tenant: string,
  {
    subjectId,
    reason,
    departure,
  }: { subjectId: string; reason: string; departure: ReportedDeparture | undefined },
): Promise<readonly Ownable[]> {
  if (departure) return allOwnable;
  if (reason !== roleRemoved) return [];
  const still = await ownableBy(ports, tx, tenant, subjectId);
  return allOwnable.filter((kind) => !still.includes(kind));
}

/**
 * Ends the sessions of a person who stays, but for the one to keep, and every grant that doesn't hang on that one. What
 * they made for scripts goes on. The caller holds the subject, so that a racing sign-in comes before or after.
 * @returns feed entries to publish after the commit
 */
export async function endSignIns(
  tx: Transaction,
  tenant: string,
  person: { subjectId: string; keep?: string },
  reason: string,
  ports: DeparturePorts,
): Promise<Revocation[]> {
  const { subjectId, keep } = person;
  const entries: NewRevocation[] = [];
  const sessions: EndedSession[] = [];
  for (const id of await ports.signInEnds.otherSessions(tx, tenant, subjectId, keep)) {
    const ended = await ports.signInEnds.endSession(tx, tenant, id);
    if (!ended) continue;
    sessions.push(ended);
    // The session's own entry covers the access tokens of its grants, but not what apps made under them.
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
