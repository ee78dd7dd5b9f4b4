import type { Sql } from '@ostiary/database';
import { encodeDates } from '../domain/dates.ts';
import type { KeyOutcome, KeyUse } from '../domain/idempotency.ts';

/** How long a key is remembered, as PostgreSQL says it. */
const remembered = '24 hours';

/** What idempotency keys have led to, of all tenants. */
export class IdempotencyKeys {
  readonly #sql: Sql;

  /** @param sql a transaction, to claim a key and to keep its outcome */
  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async find({ tenant, caller, key }: KeyUse, now: Date): Promise<KeyOutcome | undefined> {
    const { rows } = await this.#sql.query<KeyOutcome>(
      `SELECT fingerprint, outcome FROM directory.idempotency_keys
       WHERE tenant = $1 AND caller = $2 AND key = $3 AND created_at > $4::timestamptz - interval '${remembered}'`,
      [tenant, caller, key, now],
    );
    return rows[0];
  }

  /**
   * Takes the key for this transaction. While another transaction has it, this waits for that one's end.
   * @returns false when another one has taken it for good
   */
  async claim({ tenant, caller, key, fingerprint }: KeyUse, now: Date): Promise<boolean> {
    const { rowCount } = await this.#sql.query(
      `INSERT INTO directory.idempotency_keys AS k (tenant, caller, key, fingerprint, created_at)
       VALUES ($1, $2, $3, $4, $5::timestamptz)
       ON CONFLICT (tenant, caller, key) DO UPDATE
         SET fingerprint = excluded.fingerprint, outcome = NULL, created_at = excluded.created_at
         WHERE k.created_at <= excluded.created_at - interval '${remembered}'`,
      [tenant, caller, key, fingerprint, now],
    );
    return rowCount > 0;
  }

  async keep({ tenant, caller, key }: KeyUse, outcome: unknown): Promise<void> {
    await this.#sql.query(
      'UPDATE directory.idempotency_keys SET outcome = $4::jsonb WHERE tenant = $1 AND caller = $2 AND key = $3',
      [tenant, caller, key, JSON.stringify(encodeDates(outcome))],
    );
  }

  /** Deletes what can't be asked for any more, a bounded number of keys. */
  async prune(now: Date): Promise<number> {
    const { rowCount } = await this.#sql.query(
      `DELETE FROM directory.idempotency_keys WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM directory.idempotency_keys
         WHERE created_at <= $1::timestamptz - interval '${remembered}' ORDER BY created_at LIMIT 5000))`,
      [now],
    );
    return rowCount;
  }
}
