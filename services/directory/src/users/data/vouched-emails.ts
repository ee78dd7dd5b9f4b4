import { type Sql, statement } from '@ostiary/database';
import type { VouchedEmailStore } from '../domain/ports.ts';

/** Users with vouched addresses are few, and have an index. */
const holdersOf = statement({
  name: 'users.vouched for',
  reason: 'set',
  text: `SELECT id FROM directory.users
          WHERE tenant = $tenant AND vouched_emails <> '{}'::jsonb AND ($after::uuid IS NULL OR id > $after::uuid)
            AND jsonb_path_exists(vouched_emails, '$.*[*] ? (@ == $"source")', jsonb_build_object('source', $source::text))
          ORDER BY id LIMIT $limit`,
  parameters: { tenant: 'text', after: 'uuid?', source: 'text', limit: 'int8' },
  columns: { id: 'uuid' },
});

/** The users of one tenant for whose e-mail addresses identity sources vouch. */
export class VouchedEmailHolders implements VouchedEmailStore {
  readonly #sql: Sql;
  readonly #tenant: string;

  constructor(sql: Sql, tenant: string) {
    this.#sql = sql;
    this.#tenant = tenant;
  }

  /** Returns the ids of `limit` users after an id, in order, for one of whose addresses the source vouches. */
  async of(source: string, after: string | undefined, limit: number): Promise<string[]> {
    const rows = await holdersOf.rows(this.#sql, { tenant: this.#tenant, source, after, limit });
    return rows.map(({ id }) => id);
  }
}
