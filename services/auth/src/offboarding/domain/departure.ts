import type { Revocation } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import type { EndedSession, EventPublisher } from '../../events/index.ts';
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
  type SubjectNews,
  type SubjectState,
  type SubjectStore,
} from '../../subjects/index.ts';

/** The reason of an end that began with a role that was taken away. */
export const roleRemoved = 'role removed';

/** What is open to a user. */
export interface DoorStore {
  /** Ends what was issued to a user so far. The caller holds the user and has counted their epoch up. */
  close(tx: Transaction, tenant: string, subjectId: string): Promise<ClosedDoors>;
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

export interface Judgement {
  /** The news is newer than what is stored. */
  store: boolean;
  /** Everything issued so far must end. */
  depart: boolean;
  departedVersion: bigint;
}

/**
 * What follows from news, which may come late, twice, or in any order.
 *
 * Newer news replaces what is stored. A departure is different: it closes doors that were open before it, so it has its
 * effect even when newer news came first; unless it was already carried out, or is known to have been
 * (`departedVersion`), because then it could only hit what was issued after the person came back.
 */
export function judge(state: SubjectState, news: SubjectNews): Judgement {
  // Only a restoration is newer than a deletion, and only a purge is newer than a deletion that could be undone.
  const store = news.version > state.version;
  const left = news.deleted || !news.active;
  // A return at version n proves a departure before it, even if that event is still on its way.
  const departureAt = left ? news.version : news.reactivated ? news.version - 1n : undefined;
  const due = departureAt !== undefined && departureAt > state.departedVersion;
  return {
    store,
    // Nothing is issued to a person who is stored as gone, so there is nothing new to end.
    depart: due && state.active,
    departedVersion: due ? departureAt : state.departedVersion,
  };
}

/**
 * Takes in news about a person, and carries out their departure if it says so, in the caller's transaction.
 * @returns feed entries to publish after the commit
 */
export async function applyNews(
  tx: Transaction,
  tenant: string,
  news: SubjectNews,
  ports: DeparturePorts,
): Promise<Revocation[]> {
  const fields = { ...news, active: news.active && !news.deleted };
  // Nothing has ever been issued to a person never heard of, so all before this version is settled.
  const { state, created } = await ports.subjectStore.lock(tx, tenant, news.id, {
    ...fields,
    departedVersion: news.version,
  });
  if (created) return [];
  const { store, depart, departedVersion } = judge(state, news);
  if (store) await ports.subjectStore.store(tx, tenant, news.id, { ...fields, departedVersion });
  else if (departedVersion > state.departedVersion)
    await ports.subjectStore.noteDeparted(tx, tenant, news.id, departedVersion);
  const { revocations } = depart
    ? await closeDoors(tx, tenant, news.id, 'departure', ports, news)
    : { revocations: [] };
  if (store && news.deleted && !news.restorable) await ports.subjectStore.forget(tx, tenant, news.id);
  return revocations;
}

/**
 * Whether news only say what an active person looks like: then nothing departs, and `judge` comes to "store what is newer",
 * which one statement can do for many people.
 */
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
 * @param news of a departure: what the directory said
 * @returns feed entries to publish after the commit, and how much was open of each kind
 */
export async function closeDoors(
  tx: Transaction,
  tenant: string,
  subjectId: string,
  reason: string,
  ports: DeparturePorts,
  news?: SubjectNews,
): Promise<{ revocations: Revocation[]; counts: DoorCounts & OwnedCounts }> {
  // First of all, because it locks the row if the caller hasn't.
  const epoch = await ports.subjectStore.nextEpoch(tx, tenant, subjectId);
  const expiresAt = revocationExpiry(ports.accessTokenSeconds);
  const ended = await ports.doors.close(tx, tenant, subjectId);
  // What runs by itself goes with whoever owned it alone: when they leave, or may not have it any more.
  const kinds = await ownedNoLonger(ports, tx, tenant, { subjectId, reason, news });
  const going = {
    owner: { kind: 'user', id: subjectId },
    kinds,
    epoch,
    reason: `owner: ${reason}`,
    actor: news?.source?.actor,
    expiresAt,
  } as const;
  const owned =
    kinds.length > 0 ? await endOwned(tx, tenant, going, ports) : { revocations: [], counts: noneOwned };
  const closed = { ...ended, counts: { ...ended.counts, ...owned.counts } };
  await ports.eventPublisher.doorsClosed(tx, tenant, { subjectId, epoch, reason, closed, news });
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
  { subjectId, reason, news }: { subjectId: string; reason: string; news: SubjectNews | undefined },
): Promise<readonly Ownable[]> {
  if (news) return allOwnable;
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
