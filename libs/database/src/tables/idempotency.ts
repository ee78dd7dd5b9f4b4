import { createHmac } from 'node:crypto';
import type { Sql } from '../sql.ts';
import { statementsBySchema } from '../statements/by-schema.ts';
import { statement } from '../statements/statement.ts';

/**
 * Holds a caller's idempotency key for what is about to be done, in the transaction that does it: of any number of requests
 * with one key, one does something, and the others wait for it.
 * @throws Repeated, KeyReused: nothing is to be done
 */
export type Claim = (tx: Sql, tenant: string, resourceId: string) => Promise<void>;

/** The same was asked before, with the same key; `resourceId` is what it was done to then. */
export class Repeated extends Error {
  readonly resourceId: string;
  constructor(resourceId: string) {
    super('asked before');
    this.resourceId = resourceId;
  }
}

/** The key came with something else before. */
export class KeyReused extends Error {}

export interface ClaimOptions {
  /** The service's schema, whose table `idempotency_keys` holds tenant, digest, input, resource_id and created_at for a day. */
  schema: string;
  /** Keys what is kept of the caller's key and input: neither can be guessed from the table. */
  macKey: Uint8Array;
  /** Part of the key: nobody meets another's. */
  caller: string;
  /** Part of the key, too. */
  operation: string;
  idempotencyKey: string;
  /** What is asked for: JSON values. */
  input: unknown;
}

const statementsOf = statementsBySchema(['idempotency_keys.digest'], (schema) => ({
  take: statement({
    name: 'idempotencyKeys.take',
    reason: 'atomic',
    text: `INSERT INTO ${schema}.idempotency_keys (tenant, digest, input, resource_id)
           VALUES ($tenant, $digest, $input, $resourceId)
           ON CONFLICT (tenant, digest) DO NOTHING`,
    parameters: { tenant: 'text', digest: 'bytea', input: 'bytea', resourceId: 'text' },
  }),
  /** The second half of taking it: what was found there by whom it was taken already. */
  find: statement({
    name: 'idempotencyKeys.find',
    reason: 'atomic',
    text: `SELECT input, resource_id AS "resourceId" FROM ${schema}.idempotency_keys
            WHERE tenant = $tenant AND digest = $digest`,
    parameters: { tenant: 'text', digest: 'bytea' },
    columns: { input: 'bytea', resourceId: 'text' },
  }),
}));

/** A claim to a key. Rows older than a day are the service's to prune. */
export function claimOf(options: ClaimOptions): Claim {
  const { take, find } = statementsOf(options.schema);
  const { digest, inputDigest } = digestsOf(options);
  return async (tx, tenant, resourceId) => {
    if ((await take.count(tx, { tenant, digest, input: inputDigest, resourceId })) > 0) return;
    const before = await find.first(tx, { tenant, digest });
    // Pruned between the two statements: a day passed, and what is asked now is new after all.
    if (!before) return;
    throw before.input.equals(inputDigest) ? new Repeated(before.resourceId) : new KeyReused();
  };
}

/**
 * What was done under a key, if something was. For a change that refuses to be made twice (what is deleted isn't found any more) before it
 * comes to its claim.
 * @returns what it was done to
 * @throws KeyReused
 */
export async function doneBefore(
  sql: Sql,
  tenant: string,
  options: ClaimOptions,
): Promise<string | undefined> {
  const { digest, inputDigest } = digestsOf(options);
  const before = await statementsOf(options.schema).find.first(sql, { tenant, digest });
  if (before && !before.input.equals(inputDigest)) throw new KeyReused();
  return before?.resourceId;
}

function digestsOf({ macKey, caller, operation, idempotencyKey, input }: ClaimOptions): {
  digest: Buffer;
  inputDigest: Buffer;
} {
  const mac = (value: unknown): Buffer => createHmac('sha256', macKey).update(JSON.stringify(value)).digest();
  return { digest: mac([caller, operation, idempotencyKey]), inputDigest: mac(input) };
}
