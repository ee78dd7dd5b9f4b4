import { type Sql, statement, typed } from '@ostiary/database';
import type { FoundNode } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import type { Nodes } from '../nodes.ts';

/** Declares the statement that finds objects of the graph: one lookup in each primary key. */
export const nodesStatement = (queries: readonly string[]) =>
  statement({
    name: 'upkeep.nodes',
    reason: 'set',
    text: queries.join('\n     UNION ALL '),
    parameters: { tenant: 'text', uuids: 'uuid[]', ids: 'text[]', idleSeconds: 'float8' },
    columns: { type: typed<FoundNode['type']>('text'), id: 'text', ownerId: 'text?' },
  });

export class PostgresNodes implements Nodes {
  readonly #o: { sql: Sql; find: ReturnType<typeof nodesStatement>; idleSeconds: number };

  constructor(o: { sql: Sql; find: ReturnType<typeof nodesStatement>; idleSeconds: number }) {
    this.#o = o;
  }

  of(tenant: string, ids: readonly string[]): Promise<FoundNode[]> {
    const { sql, find, idleSeconds } = this.#o;
    return find.rows(sql, { tenant, uuids: ids.filter(isUuid), ids, idleSeconds });
  }
}
