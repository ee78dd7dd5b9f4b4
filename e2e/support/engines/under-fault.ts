import { setTimeout as sleep } from 'node:timers/promises';
import { type Demo, unique } from '../demo.ts';
import { listen, type Subscriber } from '../live.ts';
import { ScimClient } from '../scim.ts';
import { adminToken, signIn } from '../sign-in.ts';
import { Leaver } from './leaver.ts';

/** What became of the system while an engine changed over. All in ms. */
export interface Figures {
  fault: string;
  /** From the answer that somebody is deactivated until every door refuses them, one for each person. */
  closedMs: number[];
  /** From the fault until somebody new, who has to arrive by the queue, has signed in. */
  signsInMs: number;
  /** From the fault until a subscriber hears of a change that was made after it. */
  heardMs: number;
}

/** How long anything may take to come right by itself. */
export const recoveryMs = 10_000;
export const longest = ({ closedMs, signsInMs, heardMs }: Figures): number =>
  Math.max(...closedMs, signsInMs, heardMs);

/** Between two attempts of one person to sign in: fewer than ten of them while anything may take. */
const guessEveryMs = 1_000;
/** Between two departures. */
const pauseMs = 150;
/** Given up after. */
const patienceMs = 60_000;

export interface Struck {
  fault: string;
  people: number;
  /** Resolves when the fault is over, or has become somebody else's. @param struck is to be called as soon as it has begun */
  strike: (struck: () => void) => Promise<void>;
  /** A departure may be answered with 503 meanwhile, and is sent again. */
  again?: boolean;
  /** Somebody new may be forgotten, and then comes again. */
  forgets?: boolean;
}

/**
 * Offboards people, and lets a fault happen after a third of them.
 * @throws Error when a door lets one of them in at the end
 */
export async function offboardingUnder(demo: Demo, o: Struck): Promise<Figures> {
  const tenant = demo.tenants.demo;
  const scim = new ScimClient(tenant, tenant.clients.scim.token);
  const people: Leaver[] = [];
  for (let n = 0; n < o.people; n += 1) people.push(await Leaver.employ(demo, scim));
  const live = await subscribed(demo);
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
      // What doesn't come to strike ends the wait, with its reason.
      const strike = o.strike(struck.resolve).catch((error: unknown) => {
        struck.resolve();
        throw error;
      });
      fault = Promise.all([after(arrives), after(() => hears(scim, demo, live)), strike]);
      // Awaited below; what fails before that is no unhandled rejection.
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
  for (const person of people) {
    let open: string[] = [];
    // What says 'not now' has not decided yet.
    await untilDone(async () => {
      open = await person.open();
    });
    if (open.length > 0) throw new Error(`somebody who left is let in: ${open.join(', ')}`);
  }
  return { fault: o.fault, closedMs, signsInMs, heardMs };
}

/** Somebody new: the authorization server hears of them by the queue. @param o.again whether they may be refused at first */
async function signsIn(
  demo: Demo,
  scim: ScimClient,
  { again = false, patience = patienceMs } = {},
): Promise<void> {
  const user = { userName: unique('newcomer'), password: unique('correct horse battery') };
  const comes = () => {
    // One who was refused may be there all the same.
    user.userName = unique('newcomer');
    return scim.createUser(user);
  };
  await (again ? untilDone(comes) : comes());
  // Until they have arrived each attempt is a wrong guess, and after ten of those an account waits, up to a minute.
  await untilDone(() => signIn(demo, demo.tenants.demo, user), guessEveryMs, patience);
}

/** One newcomer after the other: each is given a few seconds. */
const comesUntilIn = (demo: Demo, scim: ScimClient): Promise<void> =>
  untilDone(() => signsIn(demo, scim, { again: true, patience: 2_500 }));

/** A subscriber of before; or one who subscribes anew, as who may have missed something is told to. */
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
