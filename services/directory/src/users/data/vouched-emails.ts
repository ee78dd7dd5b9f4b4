import type { Sql } from '@ostiary/database';
import type { VouchedEmailStore } from '../domain/ports.ts';

/** The users of one tenant for whose e-mail addresses identity sources vouch. */
export class VouchedEmailHolders implements VouchedEmailStore {
  readonly #sql: Sql;
  readonly #tenant: string;

  constructor(sql: Sql, tenant: string) {
    this.#sql = sql;
    this.#tenant = tenant;
  }

  /** Ids of those for one of whose addresses a source vouches, `limit` of them behind an id, in order. */
  async of(source: string, after: string | undefined, limit: number): Promise<string[]> {
    const { rows } = await this.#sql.query<{ id: string }>(
      `SELECT id FROM directory.users
        WHERE tenant = $1 AND vouched_emails <> '{}'::jsonb AND ($3::uuid IS NULL OR id > $3::uuid)
          AND jsonb_path_exists(vouched_emails, '$.*[*] ? (@ == $source)', jsonb_build_object('source', $2::text))
        ORDER BY id LIMIT ${Math.trunc(limit)}`,
      [this.#tenant, source, after ?? null],
    );
    return rows.map(({ id }) => id);
  }
}
