import {
  claimOf,
  KeyReused as SharedKeyReused,
  Repeated as SharedRepeated,
  statement,
} from '@ostiary/database';
import type { Key } from '@ostiary/service';
import type { Connection } from '../../database/data/database.ts';
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
      async hold(tx: Connection, tenant: string, resourceId: string): Promise<void> {
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

const pruneKeys = statement({
  name: 'idempotencyKeys.prune',
  reason: 'set',
  text: `DELETE FROM provisioning.idempotency_keys
          WHERE ctid IN (SELECT ctid FROM provisioning.idempotency_keys
                          WHERE created_at < now() - interval '1 day' LIMIT 1000)`,
});

/** Removes idempotency keys that were used more than a day ago, at most 1000. @returns the number of removed keys */
export const pruneIdempotencyKeys = (sql: Connection): Promise<number> => pruneKeys.count(sql);
