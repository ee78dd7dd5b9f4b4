import { type Connected, composedStatement, type Sql, statement, typed, wayOf } from '@ostiary/database';
import { groupNameKey } from '@ostiary/scim';
import type { IdPage } from '@ostiary/service';
import type { PrismaClient } from '../../database/generated/client.ts';
import { resourceColumns } from '../../resources/data/rows.ts';
import type { SharedNames, StoredResource } from '../../resources/index.ts';
import type { GroupNameStore } from '../domain/group-names.ts';

const batchSize = 500;

interface Named {
  tenant: string;
  id: string;
  name: string;
}

const findPending = statement({
  name: 'group names.find pending',
  reason: 'set',
  text: `SELECT tenant, id, display_name AS name FROM directory.groups
          WHERE name_keyed IS DISTINCT FROM display_name ORDER BY tenant, id LIMIT ${batchSize}`,
  columns: { tenant: 'text', id: 'uuid', name: 'text' },
});

const writeKeys = statement({
  name: 'group names.write keys',
  reason: 'set',
  text: `WITH named AS MATERIALIZED (
           SELECT g.tenant, g.id, n.key, n.name
             FROM jsonb_to_recordset($batch::jsonb) AS n(tenant text, id uuid, name text, key text)
             JOIN directory.groups g ON g.tenant = n.tenant AND g.id = n.id AND g.display_name = n.name
            ORDER BY g.tenant, g.id FOR NO KEY UPDATE OF g)
         UPDATE directory.groups g SET name_key = named.key, name_keyed = named.name
           FROM named WHERE g.tenant = named.tenant AND g.id = named.id`,
  parameters: { batch: typed<readonly (Named & { key: string })[]>('jsonb') },
});

/**
 * Computes the keys of groups' names that are missing or outdated, written by a process of an earlier release. It can
 * be stopped at any time, and can run in several processes concurrently.
 * @returns the number of computed keys
 */
export async function rekeyGroupNames(sql: Sql, stopped: () => boolean = () => false): Promise<number> {
  let made = 0;
  while (!stopped()) {
    const rows = await findPending.rows(sql);
    if (rows.length === 0) break;
    await writeKeys.run(sql, { batch: rows.map((row) => ({ ...row, key: groupNameKey(row.name) })) });
    made += rows.length;
  }
  return made;
}

const lockName = statement({
  name: 'group names.lock',
  reason: 'atomic',
  text: 'SELECT pg_advisory_xact_lock(hashtextextended($tenant::text || chr(10) || $key::text, 7))',
  parameters: { tenant: 'text', key: 'text' },
  columns: { pg_advisory_xact_lock: 'void' },
});

const sharing = `tenant = $1 AND name_key IN (
  SELECT name_key FROM directory.groups WHERE tenant = $1 GROUP BY name_key HAVING count(*) > 1)`;

const pageOfSharing = composedStatement({
  name: 'group names.page of sharing',
  reason: 'set',
  columns: resourceColumns.Group.columns,
  compose: ({ tenant, ...page }: IdPage & { tenant: string }) => {
    const { beyond, order } = wayOf(page);
    return {
      text: `SELECT ${resourceColumns.Group} FROM directory.groups r
              WHERE ${sharing} AND ($2::uuid IS NULL OR id ${beyond} $2::uuid) ORDER BY id ${order} LIMIT $3`,
      values: [tenant, page.position ?? null, page.limit],
    };
  },
  examples: () => [
    { tenant: 'demo', limit: 1, direction: 'forward' },
    { tenant: 'demo', limit: 1, direction: 'backward' },
  ],
});

const countSharing = statement({
  name: 'group names.count sharing',
  reason: 'set',
  text: `SELECT count(*)::int4 AS total FROM directory.groups WHERE ${sharing}`,
  parameters: { tenant: 'text' },
  columns: { total: 'int4' },
});

/** The names of one tenant's groups. */
export class GroupNames implements GroupNameStore, SharedNames {
  readonly #sql: Connected<PrismaClient>;
  readonly #tenant: string;

  constructor(sql: Connected<PrismaClient>, tenant: string) {
    this.#sql = sql;
    this.#tenant = tenant;
  }

  /**
   * Reports whether another group has the name. Until the transaction ends, other transactions that ask for the same
   * name wait, so that only one of them finds it free.
   */
  async isTaken(displayName: string, id: string): Promise<boolean> {
    const tenant = this.#tenant;
    const key = groupNameKey(displayName);
    await lockName.run(this.#sql, { tenant, key });
    const prisma = await this.#sql.prisma();
    const other = await prisma.group.findFirst({
      where: { tenant, nameKey: key, id: { not: id } },
      select: { id: true },
    });
    return other !== null;
  }

  /** Returns a page of the groups that share their name, in the order of their ids. */
  page(page: IdPage): Promise<StoredResource[]> {
    return pageOfSharing.rows(this.#sql, { tenant: this.#tenant, ...page });
  }

  async count(): Promise<number> {
    return (await countSharing.first(this.#sql, { tenant: this.#tenant }))?.total ?? 0;
  }
}
