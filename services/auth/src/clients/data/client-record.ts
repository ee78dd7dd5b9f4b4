import { type RowOf, type Sql, statement, typed } from '@ostiary/database';
import { suspended } from '../../tenancy/tenants/data/tenant-conditions.ts';
import type { ClientRecord } from '../domain/clients.ts';
import { clientColumns, toClient } from './client-row.ts';
import type { ClientSecrets } from './client-secrets.ts';

/**
 * Reads a client and its live secrets in one round trip, because a cache miss delays a token request. It includes the
 * suspension of the tenant: a suspension starts a new epoch, so a reader of the new epoch must also see the suspension,
 * even with a cached tenant.
 */
const findRecord = statement({
  name: 'clients.record',
  reason: 'hot path',
  text: `
SELECT ${clientColumns},
  ${suspended('c.tenant')} AS suspended,
  COALESCE((SELECT jsonb_agg(jsonb_build_object(
              'id', s.id, 'digest', encode(s.digest, 'hex'), 'sealed', encode(s.sealed, 'hex'), 'expiresAt', extract(epoch FROM s.expires_at) * 1000))
            FROM auth.client_secrets s
            WHERE s.tenant = c.tenant AND s.client_id = c.client_id AND (s.expires_at IS NULL OR s.expires_at > now())),
           '[]') AS secrets
FROM auth.clients c WHERE c.tenant = $tenant AND c.client_id = $clientId`,
  parameters: { tenant: 'text', clientId: 'text' },
  columns: {
    ...clientColumns.columns,
    suspended: 'bool',
    secrets:
      typed<{ id: string; digest: string; sealed: string | null; expiresAt: number | null }[]>('jsonb'),
  },
});

/** Reads the current registration of a client. */
export async function readRecord(
  sql: Sql,
  secrets: ClientSecrets,
  of: { tenant: string; clientId: string },
): Promise<ClientRecord | null> {
  const row = await findRecord.first(sql, of);
  return row ? toRecord(row, secrets) : null;
}

const toRecord = (row: RowOf<typeof findRecord.columns>, secrets: ClientSecrets): ClientRecord => ({
  client: row.suspended ? { ...toClient(row), disabled: true, suspended: true } : toClient(row),
  secrets: row.secrets.map(({ id, digest, sealed, expiresAt }) => ({
    digest: Buffer.from(digest, 'hex'),
    expiresAt,
    ...(sealed === null
      ? {}
      : { reveal: () => secrets.reveal(row.tenant, row.clientId, id, Buffer.from(sealed, 'hex')) }),
  })),
});
