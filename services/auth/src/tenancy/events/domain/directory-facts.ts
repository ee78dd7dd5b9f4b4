import type { DomainEvent } from '@ostiary/events';
import type { Transaction } from '@ostiary/service';
import { type FactCursors, type LockedCursor, type OrderedSubject, orderKey } from './fact-cursors.ts';
import type { FactStore } from './fact-store.ts';
import type { NewFact } from './facts.ts';
import { type Cursor, type Gating, gate } from './order.ts';

/** Directory events that receivers can subscribe to: those of users and groups. */
type PublishedEvent = Exclude<DomainEvent, { type: 'tenant.created' | 'tenant.updated' }>;

/**
 * Maximum time in seconds that a fact waits for its predecessor. `unknown` applies to groups without a cursor: no
 * receiver had subscribed, so a predecessor may not exist.
 */
const waits = { predecessor: 60, unknown: 2 };
/** Minimum age in seconds of a cursor that may be outdated, because cursors are not updated without subscribers. */
const restSeconds = 60;

interface GatedSubject {
  subject: OrderedSubject;
  its: readonly PublishedEvent[];
  gating: Gating;
}

export interface DirectoryFactsOptions {
  facts: FactStore;
  cursors: FactCursors;
}

/** Publishes directory events of users and groups to receivers. */
export class DirectoryFacts {
  readonly #facts: DirectoryFactsOptions['facts'];
  readonly #cursors: FactCursors;

  constructor({ facts, cursors }: DirectoryFactsOptions) {
    this.#facts = facts;
    this.#cursors = cursors;
  }

  /**
   * Stores events as facts, once each, in the order of the subject's versions, in the transaction that applies the
   * events. It runs before the events are applied, so that their consequences are published after them.
   */
  async publish(tx: Transaction, events: readonly DomainEvent[]): Promise<void> {
    const published = events.filter(isPublished);
    if (published.length === 0) return;
    const tenants = await this.#cursors.tenantsToTell(tx, [
      ...new Set(published.map(({ tenant }) => tenant)),
    ]);
    const wanted = published.filter(({ tenant }) => tenants.has(tenant));
    if (wanted.length === 0) return;
    const bySubject = Map.groupBy(wanted, (event) => orderKey(subjectOf(event)));
    const subjects = [...bySubject.values()].map(([first]) => subjectOf(first as PublishedEvent));
    const cursors = await this.#cursors.lockCursors(tx, subjects);
    const gatings = subjects.map((subject) => {
      const key = orderKey(subject);
      const its = bySubject.get(key) ?? [];
      const cursor = cursors.get(key) ?? { version: null, early: [], heardOf: null, idleSeconds: 0 };
      const versions = its.map(({ version }) => BigInt(version)).sort((a, b) => (a < b ? -1 : 1));
      return { subject, its, gating: gate(startOf(cursor), versions) };
    });
    await this.#cursors.moveCursors(
      tx,
      gatings.map(({ subject, gating }) => ({ ...subject, cursor: gating.cursor })),
    );
    for (const tenant of tenants) await this.#write(tx, tenant, gatings);
  }

  /**
   * Writes passed facts before released ones, which are later versions. Where they alternate (5 arrived, 6 waited, 7
   * arrived), a later passed fact is released like those that waited.
   */
  async #write(tx: Transaction, tenant: string, gatings: readonly GatedSubject[]): Promise<void> {
    const facts: { fact: NewFact; heldSeconds: number | undefined }[] = [];
    const released: (OrderedSubject & { version: bigint })[] = [];
    for (const { subject, its, gating } of gatings) {
      if (subject.tenant !== tenant) continue;
      const [firstReleased] = gating.released;
      const inOrder = (version: bigint): boolean => firstReleased === undefined || version < firstReleased;
      for (const event of its.toSorted((a, b) => a.version - b.version)) {
        const version = BigInt(event.version);
        const goes = gating.passed.includes(version);
        facts.push({
          fact: factOf(event),
          heldSeconds: goes && inOrder(version) ? undefined : heldSeconds(subject, gating.cursor),
        });
      }
      const later = gating.passed.filter((version) => !inOrder(version));
      const going = [...gating.released, ...later].sort((a, b) => (a < b ? -1 : 1));
      released.push(...going.map((version) => ({ ...subject, version })));
    }
    await this.#facts.appendGated(tx, tenant, facts);
    if ((await this.#cursors.releaseHeld(tx, released)) > 0) await this.#facts.wakeWorkers(tx, tenant);
  }
}

/** The first event of an unknown user is still in transit. */
const heldSeconds = ({ kind }: OrderedSubject, { version }: Cursor): number =>
  version === null && kind === 'group' ? waits.unknown : waits.predecessor;

/**
 * Returns the position of a subject's facts. Versions that this service applied while no receiver was subscribed are
 * skipped: the next fact follows the last applied version.
 */
function startOf({ version, early, heardOf, idleSeconds }: LockedCursor): Cursor {
  const mayBeOutdated = early.length === 0 && (version === null || idleSeconds > restSeconds);
  const behind = heardOf !== null && heardOf > (version ?? 0n);
  return { version: mayBeOutdated && behind ? heardOf : version, early };
}

const isPublished = (event: DomainEvent): event is PublishedEvent =>
  event.type.startsWith('user.') || event.type.startsWith('group.');

const subjectOf = ({ tenant, type, subject }: PublishedEvent): OrderedSubject => ({
  tenant,
  kind: type.startsWith('user.') ? 'user' : 'group',
  id: subject,
});

function factOf(event: PublishedEvent): NewFact {
  const { credentialTicket: _, ...data } = { credentialTicket: undefined, ...event.payload };
  const { kind, id } = subjectOf(event);
  return {
    type: event.type,
    subject: { kind, id },
    version: BigInt(event.version),
    data,
    occurredAt: new Date(event.occurredAt),
    actor: event.actor,
    ...(event.traceparent !== undefined && { traceparent: event.traceparent }),
  };
}
