import type { LiveEvent } from '@ostiary/events/live';
import { comparePositions, later, type Position } from './position.ts';

/** An event and its position in the stream. */
export interface Placed {
  readonly at: Position;
  readonly event: LiveEvent;
}

/** Granularity of positions for clients in milliseconds, so that they do not reveal the activity of other tenants. */
const roundedMs = 10_000;

/** The latest events, in memory, by tenant. Resuming clients are served from here. A repeated event is stored once. */
export class LiveWindow {
  readonly #capacity: number;
  readonly #byTenant = new Map<string, Placed[]>();
  readonly #ids = new Set<string>();
  #order: Placed[] = [];
  #dropped = 0;
  #floor: Position;
  #head: Position;

  /**
   * @param capacity maximum number of events
   * @param floor everything after this position is in the window
   * @param head position up to which the stream has been read, default the floor
   */
  constructor(capacity: number, floor: Position, head = floor) {
    this.#capacity = capacity;
    this.#floor = floor;
    this.#head = head;
  }

  get size(): number {
    return this.#ids.size;
  }

  /** Position up to which the stream has been read. */
  get head(): Position {
    return this.#head;
  }

  /** Records that the stream has been read up to this position. */
  advance(to: Position): void {
    this.#head = later(this.#head, to);
  }

  /** Adds an event. Returns false for a repeated one. */
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
   * Returns the tenant's first matching event after a position; undefined when there is none yet, `lost` when it may
   * have been dropped.
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

  /** Returns a position from which the tenant's client can resume without missing an event. */
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
