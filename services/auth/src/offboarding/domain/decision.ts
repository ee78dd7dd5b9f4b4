import type { ReportedDeparture } from '../../events/index.ts';
import type { SubjectNews, SubjectState } from '../../subjects/index.ts';

/** What one event about a user, or one answer of the directory, changes. */
export interface OffboardingDecision {
  /** The profile and status replace what is stored. */
  store: boolean;
  /** Everything issued to the user so far is revoked. */
  revoke: boolean;
  departedVersion: bigint;
  /** The departure to report. Undefined when there is none, or when its report certainly exists. */
  report?: { departure: ReportedDeparture; onlyIfMissing: boolean };
}

/** Types of events that report a departure by themselves, as releases before 0.3.0 send them. */
const departureTypes: readonly (string | undefined)[] = ['user.deactivated', 'user.deleted'];

/**
 * Decides what follows from an event about a user. Events arrive late, more than once and in any order; the outcome is the same.
 *
 * - A newer version replaces what is stored.
 * - A departure revokes what was issued before it, also when a newer version is already stored, unless that was done (`departedVersion`).
 *   Revoking again would end what was issued after the user returned.
 * - Each departure has one report, written with the first event that names it: the departure itself, a later change of the inactive
 *   user, the deletion, or the return.
 *
 * @param state what is stored; undefined for a user that is not stored yet
 */
export function decideOffboarding(state: SubjectState | undefined, news: SubjectNews): OffboardingDecision {
  const left = news.deleted || !news.active;
  const named = left || news.reactivated ? news.departure : null;
  if (!state) {
    const reports = named === undefined && departureTypes.includes(news.source?.type);
    const departure = named ? departureNamed(named) : reports ? departureByEvent(news) : undefined;
    return {
      store: true,
      revoke: false,
      // Nothing was issued to the user before this version.
      departedVersion: news.version,
      ...(departure && { report: { departure, onlyIfMissing: false } }),
    };
  }
  const store = news.version > state.version;
  // Whatever the event names, nothing is stored as inactive that was not revoked.
  const becomesInactive = store && left && state.active;
  // A return proves a departure before it, even if that event has not arrived. A release that names none has it next to the event.
  const unnamed = left ? news.version : news.reactivated ? news.version - 1n : undefined;
  const departureAt = named ? BigInt(named.version) : named === undefined ? unnamed : undefined;
  const due = departureAt !== undefined && departureAt > state.departedVersion;
  const revoke = (due && state.active) || becomesInactive;
  const report = reportOf(state, named ? departureNamed(named) : undefined);
  return {
    store,
    revoke,
    departedVersion: latest(
      state.departedVersion,
      due ? departureAt : 0n,
      becomesInactive ? news.version : 0n,
    ),
    ...(report
      ? { report }
      : revoke && { report: { departure: departureByEvent(news), onlyIfMissing: false } }),
  };
}

function latest(...versions: readonly bigint[]): bigint {
  let found = 0n;
  for (const version of versions) if (version > found) found = version;
  return found;
}

/** Every event that names a departure raises `departedVersion` to it at least, so a higher one is certainly not reported. */
function reportOf(
  { departedVersion, reportedVersion }: SubjectState,
  departure: ReportedDeparture | undefined,
): OffboardingDecision['report'] {
  if (!departure || departure.version === reportedVersion) return undefined;
  return { departure, onlyIfMissing: departure.version <= departedVersion };
}

function departureNamed({
  version,
  type,
  occurredAt,
  ...others
}: NonNullable<SubjectNews['departure']>): ReportedDeparture {
  return { ...others, version: BigInt(version), trigger: type, leftAt: occurredAt };
}

/** Departure of a user whose directory does not name it: the event, or the answer, that revealed it. */
export function departureByEvent({ version, source }: SubjectNews): ReportedDeparture {
  if (!source) return { version, trigger: 'directory.asked' };
  const { eventId, type, occurredAt, actor, traceparent } = source;
  return { version, trigger: type, eventId, leftAt: occurredAt, actor, traceparent };
}
