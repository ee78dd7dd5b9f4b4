import { randomFillSync } from 'node:crypto';

// Random bytes are drawn in pages: one system call for five hundred ids instead of one each.
const pool = Buffer.alloc(4_096);
let drawn = pool.length;

let lastMilliseconds = 0;
let sequence = 0;

/**
 * Maximum lead of the last id's time over the clock, in ms. A small backward step of the clock keeps the
 * order; after a larger one the ids follow the clock (RFC 9562 section 6.2), or they would state future times
 * until the clock catches up.
 */
const maxLead = 10_000;

/**
 * Returns a UUID version 7 (RFC 9562 section 5.7): 48 bits of Unix milliseconds, a counter that orders the
 * ids of one process within a millisecond, and random bits. Rows keyed by it are stored close together.
 */
export function uuidv7(now: number = Date.now()): string {
  if (now > lastMilliseconds || now < lastMilliseconds - maxLead) {
    lastMilliseconds = now;
    sequence = 0;
  } else {
    sequence += 1;
    // The counter has 12 bits; on overflow the id borrows the next millisecond to stay in order.
    if (sequence > 0xfff) {
      lastMilliseconds += 1;
      sequence = 0;
    }
  }
  const bytes = Buffer.allocUnsafe(16);
  if (drawn === pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  pool.copy(bytes, 8, drawn, drawn + 8);
  drawn += 8;
  bytes.writeUIntBE(lastMilliseconds, 0, 6);
  bytes[6] = 0x70 | (sequence >>> 8);
  bytes[7] = sequence & 0xff;
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Returns the lowest id of a time; ids created since then are not lower. @param at milliseconds since 1970
 */
export function minUuidv7(at: number): string {
  const hex = Math.min(Math.max(0, Math.trunc(at)), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Reports whether a text is a UUID in canonical lower-case form, the only form of ids. */
export const isUuid = (text: string): boolean => uuid.test(text);

/** The nil UUID, which no resource has (RFC 9562 section 5.9). */
const nilUuid = '00000000-0000-0000-0000-000000000000';

/**
 * Returns the id to look up. A text that cannot be an id becomes the nil UUID, so that both get the same
 * answer.
 */
export const idToLookUp = (text: string): string => (isUuid(text) ? text : nilUuid);
