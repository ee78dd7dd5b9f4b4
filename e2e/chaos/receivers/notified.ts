import type { Changes, Left } from '../departures.ts';
import type { Arrival } from './arrival.ts';
import { logout, says } from './expectations.ts';
import type { Receiver } from './receivers.ts';

/** A delivery of the authorization server, in insertion order. */
export interface DeliveryRow {
  id: string;
  receiver: string;
  state: 'held' | 'pending' | 'delivered' | 'dead';
  type: string;
  subject: string;
  version: string | null;
  departure: string | null;
  /** The variant, where one fact has several messages. */
  variant: string | null;
}

// A logout token has no fact, and a stream's event about itself has no subject.
export const deliveryRows = `
SELECT d.id::text AS id, d.receiver_id AS receiver, d.state, coalesce(f.type, '${logout}') AS type,
       split_part(d.subject_key, ':', 2) AS subject, f.version::text AS version,
       coalesce(f.data->>'departureId', d.payload->>'departureId') AS departure, d.variant
  FROM auth.deliveries d LEFT JOIN auth.facts f ON f.tenant = d.tenant AND f.id = d.fact_id
 WHERE f.id IS NOT NULL OR d.receiver_kind = 'backchannel_logout' ORDER BY d.position`;

export const openDeliveries = `
SELECT count(*)::int AS count FROM auth.deliveries WHERE state IN ('held', 'pending')`;

/** Messages to one receiver. */
export interface Notified {
  name: string;
  /** Distinct accepted messages. */
  messages: number;
  requests: number;
  /** Requests that the receiver did not accept. */
  failed: number;
  /** Accepted messages that had been accepted before. */
  repeated: number;
  /** Each departure, and the time of its last accepted message in milliseconds of performance.now(). */
  departures: { acknowledgedAt: number; notifiedAt: number | undefined }[];
  /** Violations. */
  wrong: string[];
}

/**
 * Compares the accepted messages of a receiver with the changes of users and with the deliveries.
 * @param changes of every tenant; a receiver is notified of its own tenant only
 */
export function notifiedTo(
  receiver: Pick<Receiver, 'name' | 'tenant' | 'expects' | 'id' | 'arrivals' | 'forged'>,
  changes: readonly Changes[],
  left: readonly Left[],
  rows: readonly DeliveryRow[],
): Notified {
  const { name, tenant, expects, arrivals } = receiver;
  const wrong = receiver.forged.map((one) => `a message with a wrong signature: ${one}`);
  const taken = arrivals.filter(({ treatment }) => treatment === 'takes');
  const first = new Map<string, Arrival>();
  const bodies = new Map<string, string>();
  for (const arrival of arrivals) {
    if ((bodies.get(arrival.id) ?? arrival.body) !== arrival.body)
      wrong.push(`${arrival.id} said two things`);
    bodies.set(arrival.id, arrival.body);
  }
  for (const arrival of arrivals)
    if (arrival.tenant !== tenant) wrong.push(`${arrival.id} is of ${arrival.tenant}, not of ${tenant}`);
  for (const arrival of taken) if (!first.has(arrival.id)) first.set(arrival.id, arrival);
  wrong.push(
    ...asWritten(
      first,
      rows.filter(({ receiver: id, type, variant }) => id === receiver.id && says(type, variant)),
    ),
  );

  const bySubject = Map.groupBy(first.values(), ({ subject }) => subject);
  const mine = changes.filter((one) => one.tenant === tenant);
  for (const one of mine) wrong.push(...wrongAbout(one, bySubject.get(one.id) ?? [], expects));
  const known = new Set(mine.map(({ id }) => id));
  for (const [subject, its] of bySubject) {
    if (!known.has(subject)) wrong.push(`${subject} has not left: ${its.map(({ type }) => type).join(', ')}`);
  }
  return {
    name,
    messages: first.size,
    requests: arrivals.length,
    failed: arrivals.length - taken.length,
    repeated: taken.length - first.size,
    departures: offboardingsAt(receiver, bySubject, left),
    wrong,
  };
}

/**
 * Verifies that each delivery was made, that no other message arrived, and that messages about a user kept their order.
 */
function asWritten(first: ReadonlyMap<string, Arrival>, rows: readonly DeliveryRow[]): string[] {
  const wrong: string[] = [];
  const said = new Set<string>();
  for (const { id, state, type, subject, version, departure, variant } of rows) {
    const what = [subject, type, version ?? departure, ...(variant === null ? [] : [variant])].join(' ');
    if (said.has(what)) wrong.push(`two messages of ${what}`);
    said.add(what);
    if (state !== 'delivered') wrong.push(`${id} of ${what} is ${state}`);
    else if (!first.has(id)) wrong.push(`${id} of ${what} was lost`);
  }
  const ids = new Set(rows.map(({ id }) => id));
  for (const id of first.keys()) if (!ids.has(id)) wrong.push(`${id} is nobody's delivery`);
  const order = new Map([...first.keys()].map((id, index) => [id, index]));
  for (const [subject, its] of Map.groupBy(rows, (row) => row.subject)) {
    const places = its.flatMap(({ id }) => order.get(id) ?? []);
    if (places.some((place, index) => place < (places[index - 1] ?? -1)))
      wrong.push(`${subject}: out of order, was written ${its.map(({ type }) => type).join(', ')}`);
  }
  return wrong;
}

/** The nth departure of a user belongs to the nth message of each type. */
function offboardingsAt(
  { tenant, expects }: Pick<Receiver, 'tenant' | 'expects'>,
  bySubject: ReadonlyMap<string, readonly Arrival[]>,
  left: readonly Left[],
): Notified['departures'] {
  const count = new Map<string, number>();
  const { changes, departure } = expects;
  const messages: ReadonlySet<string>[] = [
    ...changes['user.deactivated'].map((type, n) => new Set([type, changes['user.deleted'][n] ?? type])),
    ...departure.map((type) => new Set([type])),
  ];
  return left
    .filter(({ person }) => person.tenant === tenant)
    .map(({ person, acknowledgedAt }) => {
      const nth = count.get(person.id) ?? 0;
      count.set(person.id, nth + 1);
      const its = bySubject.get(person.id) ?? [];
      const times = messages.map((types) => its.filter(({ type }) => types.has(type))[nth]?.at);
      const all = times.flatMap((time) => time ?? []);
      return { acknowledgedAt, notifiedAt: all.length === times.length ? Math.max(...all) : undefined };
    });
}

/** Returns the violations in the messages about one user. */
function wrongAbout(
  { id, types, unsure }: Changes,
  its: readonly Arrival[],
  expects: Receiver['expects'],
): string[] {
  if (unsure) return [];
  const wrong: string[] = [];
  const notifiedByChange = new Set(Object.values(expects.changes).flat());
  const heard = its.filter(({ type }) => notifiedByChange.has(type));
  const expected = types.flatMap((type) => expects.changes[type]);
  const list = (some: readonly string[]): string => some.join(', ') || 'nothing';
  if (String(heard.map(({ type }) => type)) !== String(expected))
    wrong.push(`${id}: was told ${list(heard.map(({ type }) => type))}, it was ${list(expected)}`);
  const versions = heard.flatMap(({ version }) => version ?? []);
  if (versions.some((version, index) => version <= (versions[index - 1] ?? 0)))
    wrong.push(`${id}: was told of versions ${versions.join(', ')}`);
  const departures = types.filter((type) => type !== 'user.reactivated').length;
  for (const type of expects.departure) {
    const times = its.filter((one) => one.type === type).length;
    if (times !== departures)
      wrong.push(`${id}: was told ${times} times of ${type}, it was ${departures} times`);
  }
  return wrong;
}
