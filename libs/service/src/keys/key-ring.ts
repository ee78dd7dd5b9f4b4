import { createHash } from 'node:crypto';

/** A key, and the name by which what was made with it says so. */
export interface RingKey {
  /** Eight hexadecimal digits that follow from the key and tell nothing of it. */
  readonly id: string;
  readonly bytes: Buffer;
}

/**
 * The keys of one purpose. New values are made with `current`; old ones, and those of processes that are a step ahead or
 * behind while a key is replaced, are understood with any of `all`, `current` first.
 */
export interface KeyRing {
  readonly current: RingKey;
  readonly all: readonly RingKey[];
}

export const keyIdOf = (key: Buffer): string =>
  createHash('sha256').update('ostiary/key-id\0').update(key).digest('hex').slice(0, 8);

export const ringKey = (bytes: Buffer): RingKey => ({ id: keyIdOf(bytes), bytes });

/** @param second another key that is valid: the next one before it is used, the former one until nothing needs it */
export function keyRing(current: Buffer, second?: Buffer | undefined): KeyRing {
  const first = ringKey(current);
  return { current: first, all: second && !second.equals(current) ? [first, ringKey(second)] : [first] };
}
