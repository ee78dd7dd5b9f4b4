import { randomFillSync } from 'node:crypto';

// Random bytes are drawn by the page: one system call for five hundred ids instead of one each.
const pool = Buffer.alloc(4_096);
let drawn = pool.length;

let lastMilliseconds = 0;
let sequence = 0;

/**
 * How far the last id's time may lie beyond the clock, in ms. A clock that is set back by a little must not spoil the order; one
 * that is set back by more has the last word (RFC 9562 section 6.2), or ids would tell a time to come until it catches up.
 */
const longestLead = 10_000;

/**
 * A UUID version 7 (RFC 9562 section 5.7): 48 bits of Unix milliseconds, then a counter that keeps the ids of
 * one process in order within a millisecond, then random bits. Rows keyed by it stay close together on disk.
 */
export function uuidv7(now: number = Date.now()): string {
  if (now > lastMilliseconds || now < lastMilliseconds - longestLead) {
    lastMilliseconds = now;
    sequence = 0;
  } else {
    sequence += 1;
    // The counter has 12 bits; past it, borrow the next millisecond rather than run backwards.
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

/** The least id of a moment: ids made since then are not less. @param at milliseconds since 1970 */
export function leastUuidv7(at: number): string {
  const hex = Math.min(Math.max(0, Math.trunc(at)), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether the text is a UUID in the canonical lower-case form. Anything else can't be an id of ours. */
export const isUuid = (text: string): boolean => uuid.test(text);

/** An id that nothing has (RFC 9562 section 5.9). */
const nilUuid = '00000000-0000-0000-0000-000000000000';

/** An id to look up: for a text that can't be one, an id that nothing has, so that both are answered alike. */
export const idToLookUp = (text: string): string => (isUuid(text) ? text : nilUuid);
