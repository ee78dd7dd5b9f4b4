import type { Sql } from '@ostiary/database';
import { keyedMac } from './secret.ts';

/**
 * Holds a caller's idempotency key for what is about to be made, in the transaction that makes it: of any number of requests
 * with one key, one makes something.
 * @throws Repeated, KeyReused: nothing is to be made
 */
export type Claim = (tx: Sql, tenant: string, resourceId: string) => Promise<void>;

/** The same was asked before, with the same key; `resourceId` is what was made then. */
export class Repeated extends Error {
  readonly resourceId: string;
  constructor(resourceId: string) {
    super('asked before');
    this.resourceId = resourceId;
  }
}

/** The key came with something else before. */
export class KeyReused extends Error {}

/** Longest key that is taken. */
export const longestKey = 200;

/**
 * @param macKey keys what is kept of the caller's key and input: neither can be guessed from the table
 * @param asked `caller` and `operation` are part of the key: nobody meets another's
 */
export function claimOf(
  macKey: Buffer,
  asked: { caller: string; operation: string; idempotencyKey: string; input: unknown },
): Claim {
  const digest = keyedMac(macKey, JSON.stringify([asked.caller, asked.operation, asked.idempotencyKey]));
  const input = keyedMac(macKey, JSON.stringify(asked.input));
  return async (tx, tenant, resourceId) => {
    const { rowCount } = await tx.query(
      `INSERT INTO auth.idempotency_keys (tenant, digest, input, resource_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT (tenant, digest) DO NOTHING`,
      [tenant, digest, input, resourceId],
    );
    if (rowCount > 0) return;
    const { rows } = await tx.query<{ input: Buffer; resourceId: string }>(
      'SELECT input, resource_id AS "resourceId" FROM auth.idempotency_keys WHERE tenant = $1 AND digest = $2',
      [tenant, digest],
    );
    const before = rows[0];
    // Pruned between the two statements: a day passed, and what is asked now is new after all.
    if (!before) return;
    throw before.input.equals(input) ? new Repeated(before.resourceId) : new KeyReused();
  };
}
