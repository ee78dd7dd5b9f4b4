import { type Sql, statement } from '@ostiary/database';
import { isUuid } from '@ostiary/service';
import type { GraphNode, GraphNodes } from './nodes.ts';

const findNodes = statement({
  name: 'nodes.find',
  reason: 'set',
  text: `SELECT 'Connector' AS type, id::text FROM provisioning.connectors
          WHERE tenant = $tenant AND id = ANY($ids) AND status <> 'deleted'
         UNION ALL SELECT 'ConnectorLogEntry', id::text FROM provisioning.connector_log
          WHERE tenant = $tenant AND id = ANY($ids)
         UNION ALL SELECT 'ProvisioningLogEntry', id::text FROM provisioning.provisioning_log
          WHERE tenant = $tenant AND id = ANY($ids)`,
  parameters: { tenant: 'text', ids: 'uuid[]' },
  columns: { type: 'text', id: 'text' },
});

/** Returns the graph's types of these ids in one statement, which reads each primary key. */
const find = (sql: Sql, tenant: string, ids: readonly string[]): Promise<GraphNode[]> =>
  findNodes.rows(sql, { tenant, ids: ids.filter(isUuid) });

export const graphNodes: GraphNodes = { find };
