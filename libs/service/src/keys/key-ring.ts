import { createHash } from 'node:crypto';

/** A key, and the id that values made with it contain. */
export interface RingKey {
  /** Eight hexadecimal digits, derived from the key without revealing it. */
  readonly id: string;
  readonly bytes: Buffer;
}

/**
 * Keys of one purpose. `current` makes new values. `all`, with `current` first, also opens older values and
 * those of processes one step ahead or behind in a key replacement.
 */
export interface KeyRing {
  readonly current: RingKey;
  readonly all: readonly RingKey[];
}

export const keyIdOf = (key: Buffer): string =>
  createHash('sha256').update('ostiary/key-id\0').update(key).digest('hex').slice(0, 8);

export const ringKey = (bytes: Buffer): RingKey => ({ id: keyIdOf(bytes), bytes });

/**
 * @param second second valid key: the next one before a replacement, the former one until it is no longer
 * needed
 */
export function keyRing(current: Buffer, second?: Buffer | undefined): KeyRing {
  const first = ringKey(current);
  return { current: first, all: second && !second.equals(current) ? [first, ringKey(second)] : [first] };
}
