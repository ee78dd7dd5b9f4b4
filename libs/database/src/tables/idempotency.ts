import { createHmac } from 'node:crypto';
import type { Sql } from '../sql.ts';
import { statementsBySchema } from '../statements/by-schema.ts';
import { statement } from '../statements/statement.ts';

/**
 * Claims a caller's idempotency key in the transaction of the change: of concurrent requests with one key,
 * one proceeds, and the others wait for it.
 * @throws Repeated, KeyReused: nothing is to be changed
 */
export type Claim = (tx: Sql, tenant: string, resourceId: string) => Promise<void>;

/** The request with this key was processed before; `resourceId` is the changed resource. */
export class Repeated extends Error {
  readonly resourceId: string;
  constructor(resourceId: string) {
    super('asked before');
    this.resourceId = resourceId;
  }
}

/** The key was used with another input before. */
export class KeyReused extends Error {}

export interface ClaimOptions {
  /**
   * Schema of the table `idempotency_keys` with tenant, digest, input, resource_id and created_at. Retention
   * time: one day.
   */
  schema: string;
  /** MAC key for the digests of caller key and input, so that neither can be guessed from the table. */
  macKey: Uint8Array;
  /** Part of the key, which separates callers. */
  caller: string;
  /** Part of the key. */
  operation: string;
  idempotencyKey: string;
  /** Input of the request: JSON values. */
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
  /** Second half of the claim: reads the existing row. */
  find: statement({
    name: 'idempotencyKeys.find',
    reason: 'atomic',
    text: `SELECT input, resource_id AS "resourceId" FROM ${schema}.idempotency_keys
            WHERE tenant = $tenant AND digest = $digest`,
    parameters: { tenant: 'text', digest: 'bytea' },
    columns: { input: 'bytea', resourceId: 'text' },
  }),
}));

/** Returns a claim to a key. The service prunes rows older than a day. */
export function claimOf(options: ClaimOptions): Claim {
  const { take, find } = statementsOf(options.schema);
  const { digest, inputDigest } = digestsOf(options);
  return async (tx, tenant, resourceId) => {
    if ((await take.count(tx, { tenant, digest, input: inputDigest, resourceId })) > 0) return;
    const before = await find.first(tx, { tenant, digest });
    // Pruned between the two statements: after a day the request counts as new.
    if (!before) return;
    throw before.input.equals(inputDigest) ? new Repeated(before.resourceId) : new KeyReused();
  };
}

/**
 * Returns the result of an earlier change with this key, if any. For changes that fail when repeated (a
 * deleted resource is not found) before they reach their claim.
 * @returns the changed resource
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
