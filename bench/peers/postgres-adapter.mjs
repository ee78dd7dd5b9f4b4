// PostgreSQL adapter of oidc-provider, with one indexed statement per operation, as its documentation describes
// (example/my_adapter.js there). As fast as possible with all guarantees of the interface.
import pg from 'pg';

const table = 'oidc_provider.models';

/** Creates empty tables. */
export async function prepare(pool) {
  await pool.query(`
    DROP SCHEMA IF EXISTS oidc_provider CASCADE;
    CREATE SCHEMA oidc_provider;
    CREATE TABLE ${table} (
      kind text NOT NULL, id text NOT NULL, payload jsonb NOT NULL, grant_id text, uid text, user_code text,
      expires_at timestamptz, consumed_at timestamptz, PRIMARY KEY (kind, id));
    CREATE INDEX ON ${table} (grant_id) WHERE grant_id IS NOT NULL;
    CREATE INDEX ON ${table} (uid) WHERE uid IS NOT NULL;
    CREATE INDEX ON ${table} (user_code) WHERE user_code IS NOT NULL;`);
}

export const createPool = (connectionString) => new pg.Pool({ connectionString, max: 10 });

/** Returns the adapter class; oidc-provider creates an instance for each kind of model. */
export function adapterOn(pool) {
  const query = (name, text, values) => pool.query({ name, text, values });
  const found = ({ rows: [row] }) => {
    if (!row || (row.expires_at && row.expires_at <= new Date())) return undefined;
    return row.consumed_at
      ? { ...row.payload, consumed: Math.floor(row.consumed_at.getTime() / 1000) }
      : row.payload;
  };
  const columns = 'payload, expires_at, consumed_at';

  return class PostgresAdapter {
    constructor(kind) {
      this.kind = kind;
    }

    async upsert(id, payload, expiresIn) {
      await query(
        'upsert',
        `INSERT INTO ${table} (kind, id, payload, grant_id, uid, user_code, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 second')
         ON CONFLICT (kind, id) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id,
           uid = excluded.uid, user_code = excluded.user_code, expires_at = excluded.expires_at`,
        [
          this.kind,
          id,
          payload,
          payload.grantId ?? null,
          payload.uid ?? null,
          payload.userCode ?? null,
          expiresIn ?? null,
        ],
      );
    }

    async find(id) {
      return found(
        await query('find', `SELECT ${columns} FROM ${table} WHERE kind = $1 AND id = $2`, [this.kind, id]),
      );
    }

    async findByUid(uid) {
      return found(
        await query('uid', `SELECT ${columns} FROM ${table} WHERE uid = $2 AND kind = $1`, [this.kind, uid]),
      );
    }

    async findByUserCode(userCode) {
      return found(
        await query('user_code', `SELECT ${columns} FROM ${table} WHERE user_code = $2 AND kind = $1`, [
          this.kind,
          userCode,
        ]),
      );
    }

    async consume(id) {
      await query('consume', `UPDATE ${table} SET consumed_at = now() WHERE kind = $1 AND id = $2`, [
        this.kind,
        id,
      ]);
    }

    async destroy(id) {
      await query('destroy', `DELETE FROM ${table} WHERE kind = $1 AND id = $2`, [this.kind, id]);
    }

    async revokeByGrantId(grantId) {
      await query('revoke', `DELETE FROM ${table} WHERE grant_id = $1`, [grantId]);
    }
  };
}
