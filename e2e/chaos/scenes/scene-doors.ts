import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenedDoor, Probe } from '../../departure/probe.ts';
import type { Verdict } from '../../departure/table.ts';
import type { Outcome } from '../asking.ts';
import type { Closing } from '../departures.ts';
import type { Outage } from '../living.ts';

/** Milliseconds for which an answer is waited for: some doors are a whole sign-in. */
const patienceMs = 8_000;
const pause = { first: 40, longest: 300, factor: 1.5 };
/** Refusals in a row that make a door closed: the load balancer may ask another process the next time. */
const refusalsInARow = 2;

/** A door of a scene, opened and proven to be open. */
export interface SceneDoor {
  name: string;
  verdict: Verdict;
  opened: OpenedDoor;
  /** By performance.now(). */
  openedAt: number;
}

/**
 * What a fault may take from people without an outage: a connection breaks with its process, and what somebody has begun and not
 * finished (a page, a challenge, a code) is kept in Redis, which may lose it.
 */
export const isFragile = ({ name, opened }: Pick<SceneDoor, 'name' | 'opened'>): boolean =>
  !opened.lasting || name.startsWith('subscription');

interface Asked {
  /** When the request was sent that was answered, which may be an earlier one. */
  sentAt: number;
  outcome: Outcome;
  said: string;
}

/** Asks at a door; who asks while an answer is on its way waits for that one. */
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

/** Asks at a door that ought to close until it has, or nobody wants to know any more. */
export async function untilClosed(
  { opened }: SceneDoor,
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
 * The same for what can be used once, of which there are two: asked at when the other doors are closed, so that the second is for
 * when the first was let in nevertheless, or got no answer.
 * @param settledMs after which even the last to hear of it must have
 */
export async function isClosed(
  { opened }: SceneDoor,
  closing: Closing,
  { acknowledgedAt, settledMs }: { acknowledgedAt: number; settledMs: number },
): Promise<void> {
  const first = note(closing, await asker(opened.after)());
  if (first.outcome !== 'closed') {
    await sleep(Math.max(0, acknowledgedAt + settledMs - performance.now()));
    const second = note(closing, await asker(opened.again)());
    // There is nothing left to ask with: that it closes can't be known any more, only for how long it was open.
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
 * Asks at a door that nothing was to close until somebody gets in.
 * @returns the time in which nobody got in, if there was one
 */
export async function staysOpen(
  { name, opened }: SceneDoor,
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
