import {
  claimOf,
  KeyReused as SharedKeyReused,
  Repeated as SharedRepeated,
  type Sql,
} from '@ostiary/database';
import type { Key } from '@ostiary/service';
import {
  type IdempotencyKeys,
  type KeyClaim,
  type KeyedRequest,
  KeyReused,
  Repeated,
} from '../domain/idempotency.ts';

/** Idempotency keys in PostgreSQL, as digests under a key of their own. */
export class PostgresIdempotencyKeys implements IdempotencyKeys {
  readonly #key: Key;

  constructor(key: Key) {
    this.#key = key;
  }

  claim(request: KeyedRequest): KeyClaim {
    const claim = claimOf({ schema: 'provisioning', macKey: this.#key(), ...request });
    return {
      async hold(tx: Sql, tenant: string, resourceId: string): Promise<void> {
        try {
          await claim(tx, tenant, resourceId);
        } catch (error) {
          if (error instanceof SharedRepeated) throw new Repeated(error.resourceId);
          throw error instanceof SharedKeyReused ? new KeyReused() : error;
        }
      },
    };
  }
}

/** Removes idempotency keys that were used more than a day ago, in steps of 1000. @returns how many */
export async function pruneIdempotencyKeys(sql: Sql): Promise<number> {
  const { rowCount } = await sql.query(
    `DELETE FROM provisioning.idempotency_keys
      WHERE ctid IN (SELECT ctid FROM provisioning.idempotency_keys
                      WHERE created_at < now() - interval '1 day' LIMIT 1000)`,
  );
  return rowCount;
}
