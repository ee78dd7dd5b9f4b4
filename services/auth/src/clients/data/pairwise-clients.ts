import { type Sql, statement } from '@ostiary/database';
import type { Client } from '../domain/client.ts';
import { clientColumns, toClient } from './client-row.ts';

/** Runs once per process after revocations of a tenant whose feed is in use. */
const findPairwise = statement({
  name: 'clients.pairwise',
  reason: 'set',
  text: `SELECT ${clientColumns} FROM auth.clients c
    WHERE c.tenant = $tenant AND c.metadata->>'subject_type' = 'pairwise' AND c.resources <> '{}'
    ORDER BY c.client_id`,
  parameters: { tenant: 'text' },
  columns: clientColumns.columns,
});

/** Returns the pairwise clients of a tenant that may request tokens for resources of other servers. */
export const pairwiseClients = async (sql: Sql, tenant: string): Promise<Client[]> =>
  (await findPairwise.rows(sql, { tenant })).map(toClient);
