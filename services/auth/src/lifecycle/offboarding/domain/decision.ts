import type { ReportedOffboarding, SubjectState, UserChange } from '../../../tenancy/index.ts';

/** Effects of one event about a user, or of one answer of the directory. */
export interface OffboardingDecision {
  /** The profile and status replace the stored ones. */
  store: boolean;
  /** Everything issued to the user so far is revoked. */
  revoke: boolean;
  departedVersion: bigint;
  /** Offboarding to report. Undefined if there is none, or if its report certainly exists. */
  report?: { departure: ReportedOffboarding; onlyIfMissing: boolean };
}

/** Types of events that report an offboarding without naming it, as sent by releases before 0.3.0. */
const offboardingTypes: readonly (string | undefined)[] = ['user.deactivated', 'user.deleted'];

/**
 * Decides the effects of an event about a user. Events arrive late, more than once and in any order; the result is the
 * same.
 *
 * - A newer version replaces the stored one.
 * - An offboarding revokes everything issued before it, also when a newer version is already stored, unless that was
 *   done (`departedVersion`). A second revocation would end access issued after a reactivation.
 * - Each offboarding has one report, written with the first event that names it: the offboarding itself, a later change
 *   of the inactive user, the deletion, or the reactivation.
 *
 * @param state stored state; undefined for a user that is not stored yet
 */
export function decideOffboarding(state: SubjectState | undefined, change: UserChange): OffboardingDecision {
  const left = change.deleted || !change.active;
  const named = left || change.reactivated ? change.departure : null;
  if (!state) {
    const reports = named === undefined && offboardingTypes.includes(change.source?.type);
    const departure = named ? offboardingNamed(named) : reports ? offboardingByEvent(change) : undefined;
    return {
      store: true,
      revoke: false,
      // Nothing was issued to the user before this version.
      departedVersion: change.version,
      ...(departure && { report: { departure, onlyIfMissing: false } }),
    };
  }
  const store = change.version > state.version;
  // A user is stored as inactive only together with a revocation, even if the event names no offboarding.
  const becomesInactive = store && left && state.active;
  // A reactivation proves an earlier offboarding, even if that event has not arrived. In a release that does not name
  // it, it is the version before.
  const unnamed = left ? change.version : change.reactivated ? change.version - 1n : undefined;
  const offboardingAt = named ? BigInt(named.version) : named === undefined ? unnamed : undefined;
  const due = offboardingAt !== undefined && offboardingAt > state.departedVersion;
  const revoke = (due && state.active) || becomesInactive;
  const report = reportOf(state, named ? offboardingNamed(named) : undefined);
  return {
    store,
    revoke,
    departedVersion: latest(
      state.departedVersion,
      due ? offboardingAt : 0n,
      becomesInactive ? change.version : 0n,
    ),
    ...(report
      ? { report }
      : revoke && { report: { departure: offboardingByEvent(change), onlyIfMissing: false } }),
  };
}

function latest(...versions: readonly bigint[]): bigint {
  let found = 0n;
  for (const version of versions) if (version > found) found = version;
  return found;
}

/** Every event that names an offboarding raises `departedVersion` at least to it, so a higher one has no report. */
function reportOf(
  { departedVersion, reportedVersion }: SubjectState,
  departure: ReportedOffboarding | undefined,
): OffboardingDecision['report'] {
  if (!departure || departure.version === reportedVersion) return undefined;
  return { departure, onlyIfMissing: departure.version <= departedVersion };
}

function offboardingNamed({
  version,
  type,
  occurredAt,
  ...others
}: NonNullable<UserChange['departure']>): ReportedOffboarding {
  return { ...others, version: BigInt(version), trigger: type, leftAt: occurredAt };
}

/** Returns the offboarding that the directory does not name, identified by the event or answer that revealed it. */
export function offboardingByEvent({ version, source }: UserChange): ReportedOffboarding {
  if (!source) return { version, trigger: 'directory.asked' };
  const { eventId, type, occurredAt, actor, traceparent } = source;
  return { version, trigger: type, eventId, leftAt: occurredAt, actor, traceparent };
}
