import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.ts';
import { Departures, type DeparturesQuery } from '../graph/generated/users.ts';
import type { Graph } from '../graph/graph.ts';
import { type DoorsOf, type OpenDoors, openOf } from './users.ts';

export type Departure = NonNullable<DeparturesQuery['departures']>[number];

export const departuresOf = async (graph: Graph, id: string): Promise<readonly Departure[]> =>
  (await graph.ask(Departures, { id })).departures ?? [];

export interface Closed {
  /** Null once the person is deleted. */
  person: DoorsOf | null;
  after: OpenDoors;
  /** Null for somebody who has never been let in. */
  departure: Departure | null;
  /** Milliseconds until everything was seen closed. */
  waitedMs: number;
}

export interface Waiting {
  /** The departures that were there before, if this one is to be told from them: else the newest is meant, if there is any. */
  known: readonly Departure[] | undefined;
  timeoutMs: number;
  signal: AbortSignal;
  onWaiting: (text: string) => void;
}

const everyMs = 200;

/** Waits until the departure is written down and nothing of the person is open any more, connectors included, which another service ends. */
export async function allClosed(graph: Graph, id: string, o: Waiting): Promise<Closed> {
  const begun = performance.now();
  const known = new Set(o.known?.map(({ securityEventId }) => securityEventId));
  for (let waits = 0; ; waits++) {
    if (o.signal.aborted) throw interrupted(id);
    // First what is open, then what is written down: who is seen with nothing open is not reported as of a moment before.
    const { person, open: after } = await openOf(graph, id);
    const departures = await departuresOf(graph, id);
    const departure = departures.find(({ securityEventId }) => !known.has(securityEventId)) ?? null;
    const open = stillOpen(after);
    if ((departure !== null || o.known === undefined) && open.length === 0) {
      return { person, after, departure, waitedMs: Math.round(performance.now() - begun) };
    }
    if (performance.now() - begun > o.timeoutMs) throw notClosed(id, o.timeoutMs, open);
    if (waits % 10 === 5)
      o.onWaiting(open.length === 0 ? 'waiting for the report' : `still open: ${open.join(', ')}`);
    await sleep(everyMs, undefined, { signal: o.signal }).catch(() => undefined);
  }
}

/** Keys of service accounts go with these; where a tenant's policy suspends them, they stay in the list and open nothing. */
export const stillOpen = ({ apiKeys: _, ...open }: OpenDoors): string[] =>
  Object.entries(open).flatMap(([name, count]) => (count > 0 ? [`${name} ${count}`] : []));

const interrupted = (id: string): Failure =>
  new Failure('interrupted', 'The user is offboarded; the command did not wait until all access had ended.', [
    `ostiary user doors ${id}`,
  ]);

function notClosed(id: string, timeoutMs: number, open: readonly string[]): Failure {
  const what = open.length === 0 ? 'the departure is not written down yet' : `still open: ${open.join(', ')}`;
  return new Failure('failure', `The user is offboarded, but after ${timeoutMs / 1000} seconds ${what}.`, [
    `ostiary user doors ${id}`,
    'ostiary doctor',
    'docs/guides/runbook.md, OstiaryDeparturesSlow',
  ]);
}
