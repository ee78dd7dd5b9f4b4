import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenedAccessPath, Probe } from '../../departure/probe.ts';
import type { Expectation } from '../../departure/table.ts';
import type { Outcome } from '../asking.ts';
import type { Closing } from '../departures.ts';
import type { Outage } from '../living.ts';

/** Timeout of one request in milliseconds; some access paths are a complete sign-in. */
const patienceMs = 8_000;
const pause = { first: 40, longest: 300, factor: 1.5 };
/**
 * Consecutive rejections after which an access path is closed: the load balancer may choose another process each time.
 */
const refusalsInARow = 2;

/** An access path of a scene that accepted a request before the trigger. */
export interface SceneAccessPath {
  name: string;
  expectation: Expectation;
  opened: OpenedAccessPath;
  /** Milliseconds of performance.now(). */
  openedAt: number;
}

/**
 * Reports whether a fault may close the access path without an outage: a connection ends with its process, and
 * unfinished steps (a page, a challenge, a code) are in Redis, which may lose them.
 */
export const isFragile = ({ name, opened }: Pick<SceneAccessPath, 'name' | 'opened'>): boolean =>
  !opened.lasting || name.startsWith('subscription');

interface Asked {
  /** Send time of the request, which may be an earlier one of another caller. */
  sentAt: number;
  outcome: Outcome;
  said: string;
}

/** Returns a function that sends the request; concurrent callers share one. */
export function asker(probe: Probe, patience = patienceMs): () => Promise<Asked> {
  let waiting: Promise<Asked> | undefined;
  const ask = async (): Promise<Asked> => {
    const sentAt = performance.now();
    try {
      const said = await probe();
      return { sentAt, outcome: said === 'open' ? 'open' : 'closed', said };
    } catch (error) {
      return { sentAt, outcome: 'unavailable', said: String(error) };
    } finally {
      waiting = undefined;
    }
  };
  return () => {
    const sentAt = performance.now();
    waiting ??= ask();
    return Promise.race([
      waiting,
      sleep(patience, { sentAt, outcome: 'unavailable' as const, said: 'no answer' }, { ref: false }),
    ]);
  };
}

export const newClosing = (door: string): Closing => ({
  door,
  openAt: undefined,
  closedAt: undefined,
  unavailable: 0,
  said: '',
  mixedUp: undefined,
});

/** Requests an access path that must close until it is closed or `giveUp`. */
export async function untilClosed(
  { opened }: SceneAccessPath,
  closing: Closing,
  giveUp: AbortSignal,
): Promise<void> {
  const ask = asker(opened.after);
  let refusals: number[] = [];
  for (let wait = pause.first; ; wait = Math.min(wait * pause.factor, pause.longest)) {
    const { outcome } = note(closing, await ask());
    if (outcome === 'closed') refusals.push(performance.now());
    else if (giveUp.aborted) return;
    if (outcome === 'open') refusals = [];
    if (refusals.length >= refusalsInARow) {
      closing.closedAt = refusals[0];
      return;
    }
    await sleep(wait);
  }
}

/**
 * The same for single-use credentials, of which there are two. The first is used when the other access paths are
 * closed; the second is used if the first was accepted or got no answer.
 * @param settledMs after which every process must have applied the change
 */
export async function isClosed(
  { opened }: SceneAccessPath,
  closing: Closing,
  { acknowledgedAt, settledMs }: { acknowledgedAt: number; settledMs: number },
): Promise<void> {
  const first = note(closing, await asker(opened.after)());
  if (first.outcome !== 'closed') {
    await sleep(Math.max(0, acknowledgedAt + settledMs - performance.now()));
    const second = note(closing, await asker(opened.again)());
    // No credential is left: the test cannot show that the path closes, only for how long it was open.
    if (second.outcome === 'open') return;
  }
  closing.closedAt = performance.now();
}

function note(closing: Closing, asked: Asked): Asked {
  closing.said = asked.said;
  if (asked.outcome === 'open') closing.openAt = asked.sentAt;
  if (asked.outcome === 'unavailable') closing.unavailable += 1;
  return asked;
}

/**
 * Requests an access path that must stay open until it is open or `giveUp`.
 * @returns the outage, if there was one
 */
export async function staysOpen(
  { name, opened }: SceneAccessPath,
  person: string,
  giveUp: AbortSignal,
): Promise<Outage | undefined> {
  let outage: Outage | undefined;
  const probes = opened.lasting ? undefined : [opened.after, opened.again].map((probe) => asker(probe));
  const lasting = asker(opened.after);
  for (let wait = pause.first; ; wait = Math.min(wait * pause.factor, pause.longest)) {
    const ask = probes === undefined ? lasting : probes.shift();
    if (ask === undefined) return outage;
    const { sentAt, outcome, said } = await ask();
    if (outcome === 'open') {
      if (outage !== undefined) outage.to = performance.now();
      return outage;
    }
    outage ??= { person, door: name, from: sentAt, to: undefined, said: new Set() };
    outage.said.add(said);
    if (giveUp.aborted) return outage;
    await sleep(wait);
  }
}
