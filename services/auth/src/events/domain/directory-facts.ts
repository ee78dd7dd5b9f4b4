import type { DomainEvent } from '@ostiary/events';
import type { Transaction } from '@ostiary/service';
import { type FactCursors, type LockedCursor, type OrderedSubject, orderKey } from './fact-cursors.ts';
import type { FactStore } from './fact-store.ts';
import type { NewFact } from './facts.ts';
import { type Cursor, type Gating, gate } from './order.ts';

/** Events about users and groups, which are what somebody outside may be told of the directory. */
type PublishedEvent = Exclude<DomainEvent, { type: 'tenant.created' | 'tenant.updated' }>;

/**
 * Seconds a fact waits for its predecessor; and when it isn't known whether there still is one to wait for, because nobody
 * wanted to know of this group until now.
 */
const waits = { predecessor: 60, unknown: 2 };
/** A cursor that has been still for so many seconds may not have been kept: nobody may have wanted to know. */
const restSeconds = 60;

interface GatedSubject {
  subject: OrderedSubject;
  its: readonly PublishedEvent[];
  gating: Gating;
}

export interface DirectoryFactsOptions {
  facts: Pick<FactStore, 'appendGated' | 'wakeWorkers'>;
  cursors: FactCursors;
}

/** Publishes what the directory says about users and groups to the receivers outside. */
export class DirectoryFacts {
  readonly #facts: DirectoryFactsOptions['facts'];
  readonly #cursors: FactCursors;

  constructor({ facts, cursors }: DirectoryFactsOptions) {
    this.#facts = facts;
    this.#cursors = cursors;
  }

  /**
   * Writes down events as facts, in the order of each subject's versions, in the transaction that applies the events: each becomes a
   * fact once. Before the events have their effects, which are published after their cause.
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
   * What passes goes before what it lets go, which is later. Where both take turns (5 arrived, 6 waited, 7 arrived) what
   * passes later is let go like what waited.
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

/** A person this service hasn't heard of is one whose first event is still on its way. */
const heldSeconds = ({ kind }: OrderedSubject, { version }: Cursor): number =>
  version === null && kind === 'group' ? waits.unknown : waits.predecessor;

/**
 * Where a subject's facts are. What this service had taken in before anybody wanted to know is no concern: what it heard of
 * last is what the next one follows.
 */
function startOf({ version, early, heardOf, idleSeconds }: LockedCursor): Cursor {
  const untold = early.length === 0 && (version === null || idleSeconds > restSeconds);
  const behind = heardOf !== null && heardOf > (version ?? 0n);
  return { version: untold && behind ? heardOf : version, early };
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
