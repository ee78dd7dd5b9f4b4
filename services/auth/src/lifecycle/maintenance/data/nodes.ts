import { statement, typed } from '@ostiary/database';
import type { FoundNode } from '@ostiary/graph';

/** Declares the statement that finds objects of the graph: one lookup in each primary key. */
export const nodesStatement = (queries: readonly string[]) =>
  statement({
    name: 'maintenance.nodes',
    reason: 'set',
    text: queries.join('\n     UNION ALL '),
    parameters: { tenant: 'text', uuids: 'uuid[]', ids: 'text[]', idleSeconds: 'float8' },
    columns: { type: typed<FoundNode['type']>('text'), id: 'text', ownerId: 'text?' },
  });
