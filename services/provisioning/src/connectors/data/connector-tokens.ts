import type { Sql } from '@ostiary/database';
import type { Connector } from '../domain/connector.ts';
import type { ConnectorTokenStore } from '../domain/connector-store.ts';

type Named = Pick<Connector, 'tenant' | 'id'>;

async function add(
  tx: Sql,
  token: { tenant: string; id: string; connectorId: string; digest: Uint8Array },
): Promise<void> {
  await tx.query(
    'INSERT INTO provisioning.connector_tokens (tenant, id, connector_id, digest) VALUES ($1, $2, $3, $4)',
    [token.tenant, token.id, token.connectorId, token.digest],
  );
}

async function live(tx: Sql, { tenant, id }: Named): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT id FROM provisioning.connector_tokens
      WHERE tenant = $1 AND connector_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
      ORDER BY id DESC`,
    [tenant, id],
  );
  return rows.map((row) => row.id);
}

async function keepNewest(
  tx: Sql,
  { tenant, id }: Named,
  seconds: number,
): Promise<{ id: string; expiresAt: Date } | undefined> {
  const { rows } = await tx.query<{ id: string; expiresAt: Date }>(
    `WITH live AS (
       SELECT id, row_number() OVER (ORDER BY id DESC) AS age FROM provisioning.connector_tokens
        WHERE tenant = $1 AND connector_id = $2 AND revoked_at IS NULL
          AND (expires_at IS NULL OR expires_at > now())
     ), revoked AS (
       UPDATE provisioning.connector_tokens t SET revoked_at = now()
         FROM live WHERE t.tenant = $1 AND t.id = live.id AND (live.age > 1 OR $3::int = 0)
     )
     UPDATE provisioning.connector_tokens t
        SET expires_at = least(t.expires_at, now() + make_interval(secs => $3::int))
       FROM live WHERE t.tenant = $1 AND t.id = live.id AND live.age = 1 AND $3::int > 0
     RETURNING t.id, t.expires_at AS "expiresAt"`,
    [tenant, id, seconds],
  );
  return rows[0];
}

async function revoke(tx: Sql, { tenant, id }: Named, tokenId: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ id: string }>(
    `UPDATE provisioning.connector_tokens SET revoked_at = now()
      WHERE tenant = $1 AND connector_id = $2 AND id = $3 AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > now())
     RETURNING id`,
    [tenant, id, tokenId],
  );
  return rows[0]?.id;
}

export const connectorTokens: ConnectorTokenStore = { add, live, keepNewest, revoke };
