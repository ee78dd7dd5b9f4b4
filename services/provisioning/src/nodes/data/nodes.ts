import type { Sql } from '@ostiary/database';
import type { FoundNode } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';

/** What the graph shows of these ids: one statement, which looks into each primary key. */
export async function nodesOf(sql: Sql, tenant: string, ids: readonly string[]): Promise<FoundNode[]> {
  const { rows } = await sql.query<FoundNode>(
    `SELECT 'Connector' AS type, id::text FROM provisioning.connectors
      WHERE tenant = $1 AND id = ANY($2::uuid[]) AND status <> 'deleted'
     UNION ALL SELECT 'ConnectorLogEntry', id::text FROM provisioning.connector_log
      WHERE tenant = $1 AND id = ANY($2::uuid[])
     UNION ALL SELECT 'ProvisioningLogEntry', id::text FROM provisioning.provisioning_log
      WHERE tenant = $1 AND id = ANY($2::uuid[])`,
    [tenant, ids.filter(isUuid)],
  );
  return rows;
}
