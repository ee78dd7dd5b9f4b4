import type { Sql } from '@ostiary/database';
import { isUuid } from '@ostiary/service';
import type { GraphNode, GraphNodes } from '../domain/nodes.ts';

/** What the graph shows of these ids: one statement, which looks into each primary key. */
async function find(sql: Sql, tenant: string, ids: readonly string[]): Promise<GraphNode[]> {
  const { rows } = await sql.query<GraphNode>(
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

export const graphNodes: GraphNodes = { find };
