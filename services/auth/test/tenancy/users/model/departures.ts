import {
  decideOffboarding,
  type OffboardingDecision,
} from '../../../../src/lifecycle/offboarding/domain/decision.ts';
import { isPlain } from '../../../../src/lifecycle/offboarding/domain/departure.ts';
import type { SubjectState } from '../../../../src/tenancy/users/domain/subject-store.ts';
import type { UserChange } from '../../../../src/tenancy/users/domain/user-change.ts';
import type { Model, Step } from './explore.ts';
import {
  type Change,
  departuresOf,
  eventsOf,
  firstVersion,
  isActive,
  isCreatedIn,
  versionOf,
} from './history.ts';
import type { Mistake, Plan } from './plan.ts';
import type { Hand, State, Token } from './state.ts';

const maxJobs = 2;
const mostWorkers = 2;

const fault = (state: State, name: string, next: Partial<State>): Step<State> => ({
  name,
  next: { ...state, ...next, faults: state.faults - 1 },
  fault: true,
});

const step = (state: State, name: string, next: Partial<State>): Step<State> => ({
  name,
  next: { ...state, ...next },
});

const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);

const inHand = (hands: readonly Hand[]): Hand[] =>
  hands.toSorted((a, b) => a.event - b.event || Number(a.committed) - Number(b.committed));

const without = (jobs: readonly number[], event: number): number[] => jobs.toSpliced(jobs.indexOf(event), 1);

const accepted = (state: State, token: Token): boolean => token.epoch >= state.verifier;

/**
 * Model of the events of one user, from the directory's commit to the rejection by a verifier: outbox → relay → job (or
 * a direct request) → inbox and effect → feed → verifier. Every process may crash between any two steps, and Redis may
 * lose everything. The service's own `decideOffboarding` decides the effect of an event.
 */
export const departures = (plan: Plan): Model<State> => new Departures(plan);

class Departures implements Model<State> {
  readonly #plan: Plan;
  readonly #history: readonly Change[];

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#history = plan.history;
  }

  get initial(): State {
    return {
      done: 0,
      deliveries: this.#history.map(() => 'pending'),
      relaying: null,
      jobs: [],
      workers: [],
      inbox: [],
      effects: this.#history.map(() => 0),
      subject: isCreatedIn(this.#history)
        ? null
        : {
            active: true,
            deleted: false,
            version: firstVersion,
            departedVersion: firstVersion,
            reportedVersion: 0,
            epoch: 0,
          },
      reports: [],
      tokens: [],
      feed: 0,
      push: null,
      verifier: 0,
      faults: this.#plan.faults,
    };
  }

  steps(state: State): Step<State>[] {
    return [
      ...this.#directory(state),
      ...this.#lateOutbox(state),
      ...this.#relay(state),
      ...this.#reconciler(state),
      ...(this.#mistaken('no reconciliation') ? [] : this.#direct(state)),
      ...this.#consumer(state),
      ...this.#feed(state),
      ...this.#people(state),
      ...this.#redis(state),
    ];
  }

  violation(state: State): string | undefined {
    if (state.effects.some((count) => count > 1)) return 'an event had its effect twice';
    const departed = this.#offboardingsIn(state.done);
    for (const token of state.tokens) {
      if (token.safe && token.offboardingsBefore === departed && !accepted(state, token)) {
        return 'somebody who is there was shut out';
      }
      if (this.#quiet(state) && token.offboardingsBefore < departed && accepted(state, token)) {
        return 'a door of somebody who left is open';
      }
    }
    if (!this.#quiet(state)) return undefined;
    if (state.effects.some((count) => count !== 1)) return 'an event never had its effect';
    if (state.subject?.active !== isActive(this.#history, this.#history.length))
      return 'auth believes something else than the directory';
    const expected = departuresOf(this.#history).map((event) => versionOf(this.#history, event));
    if (JSON.stringify(sorted(state.reports)) !== JSON.stringify(expected))
      return 'the reports are not the departures';
    return undefined;
  }

  settled(state: State): boolean {
    return this.#quiet(state);
  }

  #mistaken(mistake: Mistake): boolean {
    return this.#plan.mistakes?.includes(mistake) ?? false;
  }

  #offboardingsIn(count: number): number {
    return departuresOf(this.#history).filter((event) => event < count).length;
  }

  #effect(state: State, event: number): State {
    const { departure, ...unnamed } = eventsOf(this.#history, event);
    const change = this.#mistaken('a return follows its departure') ? unnamed : { ...unnamed, departure };
    const known = this.#known(state, change);
    const decision = decideOffboarding(known, change);
    const dropped = this.#mistaken('late departures dropped') && !decision.store;
    const revoke = decision.revoke && !dropped;
    const epoch = (state.subject?.epoch ?? 0) + (revoke ? 1 : 0);
    const report = this.#report(state, change, decision);
    const stored = known ?? { active: true, deleted: false, version: 0n, reportedVersion: 0n };
    return {
      ...state,
      effects: state.effects.with(event, Math.min(2, (state.effects[event] ?? 0) + 1)),
      subject: {
        active: decision.store ? change.active && !change.deleted : stored.active,
        deleted: decision.store ? change.deleted : stored.deleted,
        version: Number(decision.store ? change.version : stored.version),
        departedVersion: Number(decision.departedVersion),
        reportedVersion: Math.max(state.subject?.reportedVersion ?? 0, report ?? 0),
        epoch,
      },
      reports: report === undefined ? state.reports : sorted([...state.reports, report]),
      feed: revoke ? epoch : state.feed,
      push: revoke ? epoch : state.push,
    };
  }

  #known({ subject }: State, change: UserChange): SubjectState | undefined {
    if (!subject) return undefined;
    const forgets = this.#mistaken('last arrival wins');
    const known = {
      ...subject,
      version: BigInt(forgets ? 0 : subject.version),
      departedVersion: BigInt(forgets ? 0 : subject.departedVersion),
      reportedVersion: BigInt(subject.reportedVersion),
    };
    // Plain events are stored without a decision, many in one statement; the result must be the same.
    if (isPlain(change) && decideOffboarding(known, change).revoke) throw new Error('a plain event revokes');
    return known;
  }

  /** @returns the version of the offboarding that this event reports */
  #report(
    { subject, reports }: State,
    change: UserChange,
    { report, revoke }: OffboardingDecision,
  ): number | undefined {
    if (!subject && this.#mistaken('first event not reported')) return undefined;
    if (!report) return undefined;
    const named = Number(report.departure.version);
    if (!revoke && this.#mistaken('nothing to revoke, nothing to report')) return undefined;
    if (this.#mistaken('reported by the event at hand')) return revoke ? Number(change.version) : undefined;
    const missing = !report.onlyIfMissing || !reports.includes(named);
    if (missing || this.#mistaken('reported without looking')) return named;
    return revoke ? Number(change.version) : undefined;
  }

  *#directory(state: State): Generator<Step<State>> {
    const event = state.done;
    if (event === this.#history.length) return;
    const late = this.#mistaken('outbox beside the transaction');
    const deliveries = state.deliveries.with(event, late ? 'unwritten' : 'pending');
    yield step(state, `directory commits ${this.#history[event]}`, { done: event + 1, deliveries });
  }

  *#lateOutbox(state: State): Generator<Step<State>> {
    if (!this.#mistaken('outbox beside the transaction')) return;
    for (let event = 0; event < state.done; event += 1) {
      if (state.deliveries[event] !== 'unwritten') continue;
      yield step(state, `outbox gets ${event}`, { deliveries: state.deliveries.with(event, 'pending') });
      if (state.faults > 0) {
        yield fault(state, `directory dies before the outbox has ${event}`, {
          deliveries: state.deliveries.with(event, 'confirmed'),
        });
      }
    }
  }

  *#relay(state: State): Generator<Step<State>> {
    const { relaying, deliveries, jobs } = state;
    if (relaying === null) {
      for (const [event, delivery] of deliveries.entries()) {
        if (delivery !== 'pending' || event >= state.done) continue;
        if (this.#mistaken('marked before sent')) {
          yield step(state, `relay marks ${event}`, {
            relaying: event,
            deliveries: deliveries.with(event, 'enqueued'),
          });
        } else if (jobs.length < maxJobs) {
          yield step(state, `relay sends ${event}`, { relaying: event, jobs: sorted([...jobs, event]) });
        }
      }
      return;
    }
    const finished = this.#mistaken('marked before sent')
      ? { jobs: sorted([...jobs, relaying]) }
      : { deliveries: deliveries.with(relaying, 'enqueued') };
    yield step(state, `relay finishes ${relaying}`, { relaying: null, ...finished });
    if (state.faults > 0) yield fault(state, 'relay dies', { relaying: null });
  }

  *#reconciler(state: State): Generator<Step<State>> {
    for (const [event, delivery] of state.deliveries.entries()) {
      if (delivery !== 'enqueued' || state.relaying === event) continue;
      if (state.inbox.includes(event) || (this.#mistaken('no inbox') && (state.effects[event] ?? 0) > 0)) {
        yield step(state, `consumer confirms ${event}`, {
          deliveries: state.deliveries.with(event, 'confirmed'),
        });
      } else if (
        !state.jobs.includes(event) &&
        !state.workers.some((hand) => hand.event === event) &&
        !this.#mistaken('no reconciliation')
      ) {
        yield step(state, `${event} is found lost`, { deliveries: state.deliveries.with(event, 'pending') });
      }
    }
  }

  /**
   * Direct delivery outside of the queue: the consumer runs the same transaction, and its response is a confirmation.
   */
  *#direct(state: State): Generator<Step<State>> {
    for (const [event, delivery] of state.deliveries.entries()) {
      if (event >= state.done || state.relaying === event) continue;
      if (delivery !== 'pending' && delivery !== 'enqueued') continue;
      const fresh = this.#mistaken('no inbox') || !state.inbox.includes(event);
      const after = fresh ? this.#effect(state, event) : state;
      const remembers = fresh && !this.#mistaken('no inbox') && !this.#mistaken('inbox after the effect');
      const next = {
        inbox: remembers ? sorted([...state.inbox, event]) : state.inbox,
        deliveries: state.deliveries.with(event, 'confirmed'),
      };
      yield step(after, `directory hands over ${event}`, next);
      // The response is lost: the sender asks about the event or sends it again.
      if (fresh && state.faults > 0)
        yield fault(after, `${event} is handed over, unanswered`, { inbox: next.inbox });
    }
  }

  *#consumer(state: State): Generator<Step<State>> {
    const { workers, jobs } = state;
    if (workers.length < mostWorkers) {
      for (const event of new Set(jobs)) {
        yield step(state, `a worker takes ${event}`, {
          workers: inHand([...workers, { event, committed: false }]),
          jobs: without(jobs, event),
        });
      }
    }
    for (const index of workers.keys()) yield* this.#atWork(state, index);
  }

  *#atWork(state: State, index: number): Generator<Step<State>> {
    const { workers, jobs, inbox } = state;
    const { event, committed } = workers[index] as Hand;
    const others = workers.toSpliced(index, 1);
    if (!committed) {
      const fresh = this.#mistaken('no inbox') || !inbox.includes(event);
      const after = fresh ? this.#effect(state, event) : state;
      const remembers = !this.#mistaken('no inbox') && !this.#mistaken('inbox after the effect');
      yield step(after, `the worker with ${event} commits`, {
        workers: inHand([...others, { event, committed: true }]),
        inbox: remembers && fresh ? sorted([...inbox, event]) : inbox,
      });
    } else {
      const late = this.#mistaken('inbox after the effect') && !inbox.includes(event);
      yield step(state, `the worker with ${event} finishes`, {
        workers: others,
        inbox: late ? sorted([...inbox, event]) : inbox,
      });
    }
    if (state.faults === 0) return;
    // The job is still in Redis: its lock expires, and another worker takes it. The pending push is lost with the
    // process.
    yield fault(state, `the worker with ${event} dies`, {
      workers: others,
      jobs: sorted([...jobs, event]),
      push: null,
    });
    // The worker is too slow to renew the lock: it continues, and another worker takes the job as well.
    if (jobs.length < maxJobs) {
      yield fault(state, `the worker with ${event} hangs`, { jobs: sorted([...jobs, event]) });
    }
  }

  *#feed(state: State): Generator<Step<State>> {
    if (state.push !== null) {
      yield step(state, 'verifier hears the push', {
        push: null,
        verifier: Math.max(state.verifier, state.push),
      });
    }
    if (!this.#mistaken('no pull') && state.verifier < state.feed) {
      yield step(state, 'verifier pulls', { verifier: state.feed });
    }
  }

  *#people(state: State): Generator<Step<State>> {
    if (!state.subject?.active || state.tokens.length === this.#plan.tokens) return;
    // The database decides about sign-in, so no token of an older epoch than the stored one is issued.
    const last = departuresOf(this.#history).findLast((event) => event < state.done);
    const token = {
      epoch: state.subject.epoch,
      offboardingsBefore: this.#offboardingsIn(state.done),
      safe: last === undefined || state.subject.departedVersion >= versionOf(this.#history, last),
    };
    yield step(state, `sign-in at epoch ${token.epoch}`, { tokens: [...state.tokens, token] });
  }

  *#redis(state: State): Generator<Step<State>> {
    if (state.faults === 0) return;
    if (state.jobs.length > 0 || state.push !== null) {
      yield fault(state, 'Redis forgets everything', { jobs: [], push: null });
    }
    const again = state.jobs[0];
    if (again !== undefined && state.jobs.length < maxJobs) {
      yield fault(state, `job ${again} comes twice`, { jobs: sorted([...state.jobs, again]) });
    }
  }

  #quiet(state: State): boolean {
    return (
      state.done === this.#history.length &&
      state.deliveries.every((delivery) => delivery === 'confirmed') &&
      state.relaying === null &&
      state.workers.length === 0 &&
      state.jobs.length === 0 &&
      state.push === null &&
      (this.#mistaken('no pull') || state.verifier >= state.feed)
    );
  }
}
