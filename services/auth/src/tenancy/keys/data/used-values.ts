import { type Sql, statement } from '@ostiary/database';
import type { KeyRing } from '@ostiary/service';
import { keyedDigest } from '../domain/secret.ts';

/** Kind of a value. Equal values of different kinds are independent. */
export type UsedKind = 'assertion' | 'client_assertion' | 'passkey' | 'pushed_request';

/** Counts only if all digests are new: of two processes that share one key, one sees the mark of the other. */
const markUsed = statement({
  name: 'used_values.mark',
  reason: 'atomic',
  text: `WITH wanted AS (SELECT digest FROM unnest($digests::bytea[]) AS digest ORDER BY digest), marked AS (
           INSERT INTO auth.used_values (tenant, digest, expires_at)
           SELECT $tenant, digest, now() + $milliseconds * interval '1 millisecond' FROM wanted
           ON CONFLICT (tenant, digest) DO NOTHING RETURNING digest
         )
         SELECT (SELECT count(*) FROM marked)::int AS marked`,
  parameters: { tenant: 'text', digests: 'bytea[]', milliseconds: 'float8' },
  columns: { marked: 'int4' },
});

/**
 * Records used values for all processes. Stored in PostgreSQL as keyed digests, because write access to Redis could
 * remove a mark and permit a second use. While the key is replaced, the mark is stored under both keys.
 */
export class UsedValues {
  readonly #sql: Sql;
  readonly #keys: KeyRing;

  constructor({ sql, keys }: { sql: Sql; keys: KeyRing }) {
    this.#sql = sql;
    this.#keys = keys;
  }

  /**
   * Marks a value as used. Of parallel callers in all processes, exactly one gets true.
   * @param value identifies the value: tenant, issuer, id
   * @param milliseconds period in which it could be presented again
   * @throws DatabaseUnavailable if the previous use cannot be determined
   */
  async use(kind: UsedKind, value: readonly string[], milliseconds: number): Promise<boolean> {
    const text = JSON.stringify([kind, ...value]);
    const digests = this.#keys.all.map((key) => keyedDigest(key.bytes, text));
    const life = Math.max(1, Math.ceil(milliseconds));
    const tenant = value[0] ?? '';
    const found = await markUsed.first(this.#sql, { tenant, digests, milliseconds: life });
    return found?.marked === digests.length;
  }
}
