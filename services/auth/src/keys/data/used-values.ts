import { type Sql, statement } from '@ostiary/database';
import type { KeyRing } from '@ostiary/service';
import { keyedDigest } from '../domain/secret.ts';

/** What kind of thing it is; the same value of another kind is another thing. */
export type UsedKind = 'assertion' | 'client_assertion' | 'passkey' | 'pushed_request';

/** Every mark or none: of two processes that know one key in common, one sees the other's. */
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
 * Remembers, for all processes together, what may be used only once. In PostgreSQL, as keyed digests: in Redis a mark could be taken
 * away by anything that writes to it, and what was used would be good once more. While the key is replaced the mark is left under both.
 */
export class UsedValues {
  readonly #sql: Sql;
  readonly #keys: KeyRing;

  constructor({ sql, keys }: { sql: Sql; keys: KeyRing }) {
    this.#sql = sql;
    this.#keys = keys;
  }

  /**
   * Marks something as used, in one step. Of any number of callers, in any number of processes, one gets true.
   * @param value what tells it from others: tenant, issuer, id
   * @param milliseconds how long it could still be presented
   * @throws DatabaseUnavailable when nobody can tell whether it was used before
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
