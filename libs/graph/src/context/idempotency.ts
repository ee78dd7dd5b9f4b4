import type { Principal } from '@ostiary/access';
import { badUserInput } from '../errors/errors.ts';

/** Longest idempotency key that is taken, in UTF-16 code units. */
export const longestIdempotencyKey = 200;

/**
 * Checks a caller's idempotency key: one rule for every mutation of every subgraph. Clients make up their keys as they like, so
 * whatever a database can hold will do.
 * @throws BAD_USER_INPUT
 */
export function checkIdempotencyKey(key: string): string {
  const { length } = key;
  if (length < 1 || length > longestIdempotencyKey || key.includes('\u0000') || !key.isWellFormed()) {
    throw badUserInput(
      `"idempotencyKey" must have 1 to ${longestIdempotencyKey} characters, and NUL is none of them.`,
      { argument: 'idempotencyKey' },
    );
  }
  return key;
}

/**
 * Whose idempotency keys are whose: everything by which callers differ. Two users of one app, and two programs that
 * act for one person (RFC 8693), don't meet each other's keys.
 */
export const keyHolder = ({
  kind,
  subject,
  clientId,
  actors,
}: Pick<Principal, 'kind' | 'subject' | 'clientId' | 'actors'>): readonly (string | undefined)[] => [
  kind,
  subject,
  clientId,
  actors?.[0]?.subject,
];
