import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.ts';
import { Departures, type DeparturesQuery } from '../graph/generated/users.ts';
import type { Graph } from '../graph/graph.ts';
import { type AccessPathsOf, type OpenDoors, openOf } from './users.ts';

type Reported = NonNullable<DeparturesQuery['departures']>[number];
type ReportedSecret = Reported['secrets'][number];

/** Owner to notify of the end of a secret. */
export interface SecretOwner {
  kind: 'user' | 'group';
  id: string;
  name: string;
}

export interface KnownSecret extends Omit<ReportedSecret, 'owner'> {
  owner: SecretOwner | null;
}

export interface Departure extends Omit<Reported, 'secrets'> {
  secrets: readonly KnownSecret[];
}

export const departuresOf = async (graph: Graph, id: string): Promise<readonly Departure[]> =>
  ((await graph.ask(Departures, { id })).departures ?? []).map(({ secrets, ...departure }) => ({
    ...departure,
    secrets: secrets.map(({ owner, ...secret }) => ({ ...secret, owner: owner && ownerOf(owner) })),
  }));

const ownerOf = (owner: NonNullable<ReportedSecret['owner']>): SecretOwner =>
  owner.__typename === 'User'
    ? { kind: 'user', id: owner.id, name: owner.userName }
    : { kind: 'group', id: owner.id, name: owner.displayName };

export interface Closed {
  /** Null after the user is deleted. */
  person: AccessPathsOf | null;
  after: OpenDoors;
  /** Null for a user who never had access. */
  departure: Departure | null;
  /** Milliseconds until all access paths were closed. */
  waitedMs: number;
}

export interface Waiting {
  /** Departures that existed before; a new one is awaited. Undefined: the most recent one counts, if there is any. */
  known: readonly Departure[] | undefined;
  timeoutMs: number;
  signal: AbortSignal;
  onWaiting: (text: string) => void;
}

const everyMs = 200;

/**
 * Waits until the departure is recorded and no access path is open. Connectors are included; another service ends them.
 */
export async function allClosed(graph: Graph, id: string, o: Waiting): Promise<Closed> {
  const begun = performance.now();
  const known = new Set(o.known?.map(({ securityEventId }) => securityEventId));
  for (let waits = 0; ; waits++) {
    if (o.signal.aborted) throw interrupted(id);
    // Open access is read first: once nothing is open, the departures read afterwards are up to date.
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

/**
 * API keys end with their service accounts. A policy may suspend them instead; then they stay listed but grant nothing.
 */
export const stillOpen = ({ apiKeys: _, ...open }: OpenDoors): string[] =>
  Object.entries(open).flatMap(([name, count]) => (count > 0 ? [`${name} ${count}`] : []));

const interrupted = (id: string): Failure =>
  new Failure(
    'interrupted',
    'The user is offboarded. The command was interrupted before all access paths were closed.',
    [`ostiary user doors ${id}`],
  );

function notClosed(id: string, timeoutMs: number, open: readonly string[]): Failure {
  const what =
    open.length === 0 ? 'the offboarding report does not exist yet' : `still open: ${open.join(', ')}`;
  return new Failure(
    'failure',
    `The user is offboarded, but not completely after ${timeoutMs / 1000} seconds: ${what}.`,
    [`ostiary user doors ${id}`, 'ostiary doctor', 'docs/guides/runbook.md, OstiaryDeparturesSlow'],
  );
}
