import type { Principal } from '@ostiary/access';
import { badUserInput } from '../errors/errors.ts';

/** Longest idempotency key that is taken, in UTF-16 code units. */
export const maxIdempotencyKeyLength = 200;

/**
 * Validates an idempotency key, by one rule for all mutations of all subgraphs. Clients choose their keys
 * freely, so any text that the database can store is valid.
 * @throws BAD_USER_INPUT
 */
export function checkIdempotencyKey(key: string): string {
  const { length } = key;
  if (length < 1 || length > maxIdempotencyKeyLength || key.includes('\u0000') || !key.isWellFormed()) {
    throw badUserInput(
      `"idempotencyKey" must have 1 to ${maxIdempotencyKeyLength} characters and must not contain NUL.`,
      { argument: 'idempotencyKey' },
    );
  }
  return key;
}

/**
 * Returns the holder of idempotency keys, from all properties by which callers differ. Two users of one app,
 * and two programs that act for one user (RFC 8693), have separate keys.
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
