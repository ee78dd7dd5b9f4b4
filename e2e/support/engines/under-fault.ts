import { setTimeout as sleep } from 'node:timers/promises';
import { type Demo, unique } from '../demo.ts';
import { listen, type Subscriber } from '../live.ts';
import { Load } from '../load/load.ts';
import { ScimClient } from '../scim.ts';
import { adminToken, signIn } from '../sign-in.ts';
import { Leaver } from './leaver.ts';

/** Results of one failover. All values are milliseconds. */
export interface Figures {
  fault: string;
  /** From the answer to the offboarding request until every access path is closed, for each user. */
  closedMs: number[];
  /** From the fault until a new user has signed in, who reaches the authorization server by the queue. */
  signsInMs: number;
  /** From the fault until a subscriber receives a change made after the fault. */
  heardMs: number;
  /** From the fault until the last request of other users that failed was sent; 0 if none failed. */
  failingMs: number;
  /** Number of requests of other users. */
  requests: number;
}

/** Maximum recovery time in milliseconds. */
export const recoveryMs = 10_000;
export const longest = ({ closedMs, signsInMs, heardMs, failingMs }: Figures): number =>
  Math.max(...closedMs, signsInMs, heardMs, failingMs);

/** Returns the measured recovery in one line. */
export const recoveryOf = (figures: Figures): string => {
  const { fault, closedMs, signsInMs, heardMs, failingMs, requests } = figures;
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  return `${fault}: access paths closed after at most ${seconds(Math.max(...closedMs))}, a new user signs in after ${seconds(signsInMs)}, a subscriber receives events after ${seconds(heardMs)}, requests fail for ${seconds(failingMs)} (${requests} sent)`;
};

/** Milliseconds between two sign-in attempts of one user: fewer than ten attempts within the recovery time. */
const guessEveryMs = 1_000;
/** Milliseconds between two departures. */
const pauseMs = 150;
/** Timeout in milliseconds. */
const patienceMs = 60_000;
/** Milliseconds without a failed request after which the load has recovered. */
const calmMs = 2_000;

export interface Struck {
  fault: string;
  people: number;
  /** Resolves when the fault is over. @param struck called when the fault has begun */
  strike: (struck: () => void) => Promise<void>;
  /** Whether a request answered with 503 is retried. */
  again?: boolean;
  /** Whether a new user may be lost, and is created again. */
  forgets?: boolean;
}

/**
 * Offboards users, and causes a fault after a third of them. @throws Error when an access path of one of them is open
 * at the end
 */
export async function offboardingUnder(demo: Demo, o: Struck): Promise<Figures> {
  const tenant = demo.tenants.demo;
  const scim = new ScimClient(tenant, tenant.clients.scim.token);
  const people: Leaver[] = [];
  for (let n = 0; n < o.people; n += 1) people.push(await Leaver.employ(demo, scim));
  const live = await subscribed(demo);
  const load = o.forgets ? undefined : await LoadUnderFault.begin(demo);
  const closing: Promise<number>[] = [];
  let fault: Promise<[number, number, unknown]> | undefined;
  for (const [index, person] of people.entries()) {
    if (index === Math.floor(people.length / 3)) {
      const struck = Promise.withResolvers<void>();
      const after = async (work: () => Promise<void>): Promise<number> => {
        await struck.promise;
        const struckAt = performance.now();
        await work();
        return performance.now() - struckAt;
      };
      const arrives = () => (o.forgets ? comesUntilIn(demo, scim) : signsIn(demo, scim, o));
      // A fault that fails to start ends the wait with its error.
      const strike = o.strike(struck.resolve).catch((error: unknown) => {
        struck.resolve();
        throw error;
      });
      void struck.promise.then(() => load?.struck());
      fault = Promise.all([after(arrives), after(() => hears(scim, demo, live)), strike]);
      // Awaited below; prevents an unhandled rejection when an earlier step fails.
      fault.catch(() => undefined);
    }
    const closed = person.leave({ again: o.again ?? false });
    closed.catch(() => undefined);
    closing.push(closed);
    await sleep(pauseMs);
  }
  const closedMs = await Promise.all(closing);
  const [signsInMs = 0, heardMs = 0] = (await fault) ?? [];
  live.stop();
  const served = await load?.recovered();
  for (const person of people) {
    let open: string[] = [];
    // A temporary error is not a rejection.
    await untilDone(async () => {
      open = await person.open();
    });
    if (open.length > 0) throw new Error(`somebody who left is let in: ${open.join(', ')}`);
  }
  return {
    fault: o.fault,
    closedMs,
    signsInMs,
    heardMs,
    failingMs: served?.failingMs ?? 0,
    requests: served?.requests ?? 0,
  };
}

/** Requests of every kind by users who stay, during a fault. */
class LoadUnderFault {
  readonly #load: Load;
  #struckAt = 0;

  private constructor(load: Load) {
    this.#load = load;
  }

  static async begin(demo: Demo): Promise<LoadUnderFault> {
    const load = new Load({ demo, people: 4, concurrency: 2, pauseMs: 10 });
    await load.begin();
    return new LoadUnderFault(load);
  }

  struck(): void {
    this.#struckAt = performance.now();
  }

  /**
   * Waits until all requests succeed. @throws Error if a request was rejected (4xx): these users have access throughout,
   * and none of their rotated refresh tokens may be lost
   */
  async recovered(): Promise<{ failingMs: number; requests: number }> {
    const begun = performance.now();
    const isCalm = () => performance.now() - Math.max(begun, this.#load.lastFailureAt ?? 0) > calmMs;
    try {
      while (!isCalm()) {
        if (performance.now() - begun > patienceMs)
          throw new Error(`requests still fail: ${JSON.stringify(this.#load.failures)}`);
        await sleep(50);
      }
    } finally {
      await this.#load.end();
    }
    const rejected = this.#load.failures.filter(({ said }) => /^4\d\d /.test(said));
    if (rejected.length > 0) throw new Error(`requests were rejected: ${JSON.stringify(rejected)}`);
    const { lastFailureAt = 0, requests } = this.#load;
    return { failingMs: Math.max(0, lastFailureAt - this.#struckAt), requests };
  }
}

/**
 * Creates a user and signs in; the authorization server receives the user by the queue. @param o.again whether the
 * creation may fail at first
 */
async function signsIn(
  demo: Demo,
  scim: ScimClient,
  { again = false, patience = patienceMs } = {},
): Promise<void> {
  const user = { userName: unique('newcomer'), password: unique('correct horse battery') };
  const comes = () => {
    // A user whose creation failed may exist, so each attempt uses a new name.
    user.userName = unique('newcomer');
    return scim.createUser(user);
  };
  await (again ? untilDone(comes) : comes());
  // Until the user arrives each attempt is a failed sign-in, and after ten of them the account waits up to a minute.
  await untilDone(() => signIn(demo, demo.tenants.demo, user), guessEveryMs, patience);
}

/** Creates new users until one signs in within a few seconds. */
const comesUntilIn = (demo: Demo, scim: ScimClient): Promise<void> =>
  untilDone(() => signsIn(demo, scim, { again: true, patience: 2_500 }));

/** Waits for a change at a subscriber. A subscription that ended, because events may be lost, is opened again. */
async function hears(scim: ScimClient, demo: Demo, live: Subscriber): Promise<void> {
  let subscriber = live;
  let hasEnded = false;
  const watch = (one: Subscriber) => {
    hasEnded = false;
    void one.ended.then(() => {
      hasEnded = true;
    });
  };
  watch(subscriber);
  await untilDone(async () => {
    if (hasEnded) {
      subscriber = await subscribed(demo);
      watch(subscriber);
    }
    const { id } = await scim.createUser({ userName: unique('heard') });
    await subscriber.find(({ data }) => data?.userChanged?.userId === id, 1_000);
  });
  if (subscriber !== live) subscriber.stop();
}

const subscribed = async (demo: Demo): Promise<Subscriber> =>
  listen(demo.graphql, await adminToken(demo.tenants.demo), {
    query: 'subscription { userChanged { userId } }',
  });

async function untilDone(work: () => Promise<unknown>, everyMs = 100, patience = patienceMs): Promise<void> {
  const begun = performance.now();
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (performance.now() - begun > patience) throw error;
      await sleep(everyMs);
    }
  }
}
