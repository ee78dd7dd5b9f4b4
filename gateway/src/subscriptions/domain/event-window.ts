import type { LiveEvent } from '@ostiary/events/live';
import { comparePositions, later, type Position } from './position.ts';

/** An event and where it stands in the stream. */
export interface Placed {
  readonly at: Position;
  readonly event: LiveEvent;
}

/** Positions given to clients are rounded to this many ms, so that they don't reveal when other tenants were busy. */
const roundedMs = 10_000;

/**
 * The latest events, in memory, by tenant: clients that come back are served from here. Each event is in it once, however often
 * it was sent.
 */
export class LiveWindow {
  readonly #capacity: number;
  readonly #byTenant = new Map<string, Placed[]>();
  readonly #ids = new Set<string>();
  #order: Placed[] = [];
  #dropped = 0;
  #floor: Position;
  #head: Position;

  /**
   * @param capacity events held at most
   * @param floor everything after this position is in the window
   * @param head how far the stream has been read: as far as the floor unless said
   */
  constructor(capacity: number, floor: Position, head = floor) {
    this.#capacity = capacity;
    this.#floor = floor;
    this.#head = head;
  }

  get size(): number {
    return this.#ids.size;
  }

  /** How far the stream has been read. */
  get head(): Position {
    return this.#head;
  }

  /** Notes that the stream has been read up to here. */
  advance(to: Position): void {
    this.#head = later(this.#head, to);
  }

  /** Takes an event in. False when it was there already. */
  add(placed: Placed): boolean {
    this.advance(placed.at);
    const { event } = placed;
    if (this.#ids.has(event.id)) return false;
    this.#ids.add(event.id);
    this.#order.push(placed);
    const ofTenant = this.#byTenant.get(event.tenant);
    if (ofTenant) ofTenant.push(placed);
    else this.#byTenant.set(event.tenant, [placed]);
    if (this.#ids.size > this.#capacity) this.#dropOldest();
    return true;
  }

  /**
   * The first of a tenant's events after a position that is one of those looked for; undefined when there is none by now, `lost` when
   * it may be gone.
   */
  next(
    tenant: string,
    position: Position,
    isWanted: (placed: Placed) => boolean,
  ): Placed | 'lost' | undefined {
    if (comparePositions(position, this.#floor) < 0) return 'lost';
    const events = this.#byTenant.get(tenant) ?? [];
    let low = 0;
    let high = events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = events[middle]?.at ?? position;
      if (comparePositions(at, position) <= 0) low = middle + 1;
      else high = middle;
    }
    for (let index = low; index < events.length; index += 1) {
      const placed = events[index];
      if (placed && isWanted(placed)) return placed;
    }
    return undefined;
  }

  /** A position after which the tenant's next event comes, to go on from. */
  mark(tenant: string): Position {
    const last = this.#byTenant.get(tenant)?.at(-1)?.at ?? this.#floor;
    const rounded = { ms: Math.floor(this.#head.ms / roundedMs) * roundedMs, seq: 0 };
    return later(later(last, rounded), this.#floor);
  }

  #dropOldest(): void {
    const oldest = this.#order[this.#dropped];
    if (!oldest) return;
    this.#dropped += 1;
    if (this.#dropped > this.#capacity) {
      this.#order = this.#order.slice(this.#dropped);
      this.#dropped = 0;
    }
    const { event, at } = oldest;
    this.#floor = at;
    this.#ids.delete(event.id);
    const ofTenant = this.#byTenant.get(event.tenant);
    ofTenant?.shift();
    if (ofTenant?.length === 0) this.#byTenant.delete(event.tenant);
  }
}
