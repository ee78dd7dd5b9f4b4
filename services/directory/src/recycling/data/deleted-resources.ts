import { type Sql, wayOf } from '@ostiary/database';
import type { Actor } from '@ostiary/events';
import type { IdPage } from '@ostiary/service';
import type { Attributes } from '../../resources/index.ts';
import type { ResourceType } from '../../schemas/index.ts';
import type { DeletedResource, DeletedResourceStore } from '../domain/ports.ts';

interface DeletedRow {
  id: string;
  resource_type: ResourceType;
  data: Attributes;
  external_ids: Record<string, string>;
  version: string;
  created_at: Date;
  deleted_at: Date;
  restorable_until: Date;
  actor: Actor;
  group_ids: string[];
  member_ids: string[];
}

const columns = `id, resource_type, data, external_ids, version, created_at, deleted_at, restorable_until, actor,
  group_ids, member_ids`;

const tables = { User: 'directory.users', Group: 'directory.groups' } as const;

/** How long what was deleted can be restored, as PostgreSQL says it. */
const restorable = '30 days';

/** Deleted resources that can't be restored any more, of all tenants. */
export async function expiredResources(
  sql: Sql,
  now: Date,
): Promise<{ tenant: string; id: string; type: ResourceType }[]> {
  const { rows } = await sql.query<{ tenant: string; id: string; type: ResourceType }>(
    `SELECT tenant, id, resource_type AS type FROM directory.deleted_resources
     WHERE restorable_until <= $1 ORDER BY restorable_until LIMIT 200`,
    [now],
  );
  return rows;
}

/** What one tenant has deleted under the policy to keep it for a while. */
export class DeletedResources implements DeletedResourceStore {
  readonly #sql: Sql;
  readonly #tenant: string;

  constructor(sql: Sql, tenant: string) {
    this.#sql = sql;
    this.#tenant = tenant;
  }

  /**
   * Keeps a resource that is about to be deleted, with the groups it is in and its members, if that is the tenant's
   * policy. The caller holds its lock, and takes it out of its groups after this.
   * @returns until when it can be restored; undefined when it goes for good
   */
  async keep(
    type: ResourceType,
    id: string,
    deletion: { version: number; at: Date; actor: Actor },
  ): Promise<Date | undefined> {
    const { rows } = await this.#sql.query<{ restorable_until: Date }>(
      `INSERT INTO directory.deleted_resources (tenant, id, resource_type, data, external_ids, version, created_at,
         deleted_at, restorable_until, actor, group_ids, member_ids)
       SELECT r.tenant, r.id, $3, r.data, r.external_ids, $4::bigint, r.created_at,
         $5::timestamptz, $5::timestamptz + interval '${restorable}', $6::jsonb,
         ARRAY(SELECT m.group_id FROM directory.user_memberships m WHERE m.tenant = $1 AND m.member_id = r.id
               UNION ALL
               SELECT m.group_id FROM directory.group_memberships m WHERE m.tenant = $1 AND m.member_id = r.id),
         ARRAY(SELECT m.member_id FROM directory.user_memberships m WHERE m.tenant = $1 AND m.group_id = r.id
               UNION ALL
               SELECT m.member_id FROM directory.group_memberships m WHERE m.tenant = $1 AND m.group_id = r.id)
       FROM ${tables[type]} r JOIN directory.tenants t ON t.id = r.tenant AND t.deletion_policy = 'soft'
       WHERE r.tenant = $1 AND r.id = $2
       RETURNING restorable_until`,
      [this.#tenant, id, type, deletion.version, deletion.at, JSON.stringify(deletion.actor)],
    );
    return rows[0]?.restorable_until;
  }

  /** Holds a deleted resource until the transaction ends. */
  async lock(type: ResourceType, id: string): Promise<DeletedResource | undefined> {
    const { rows } = await this.#sql.query<DeletedRow>(
      `SELECT ${columns} FROM directory.deleted_resources
       WHERE tenant = $1 AND id = $2 AND resource_type = $3 FOR UPDATE`,
      [this.#tenant, id, type],
    );
    return rows[0] && toDeleted(rows[0]);
  }

  /** In the order of their ids, those that can still be restored. */
  async page(type: ResourceType, page: IdPage & { now: Date }): Promise<DeletedResource[]> {
    const { beyond, order } = wayOf(page);
    const { rows } = await this.#sql.query<DeletedRow>(
      `SELECT ${columns} FROM directory.deleted_resources
       WHERE tenant = $1 AND resource_type = $2 AND restorable_until > $3 AND ($4::uuid IS NULL OR id ${beyond} $4::uuid)
       ORDER BY id ${order} LIMIT ${Math.trunc(page.limit)}`,
      [this.#tenant, type, page.now, page.position ?? null],
    );
    return rows.map(toDeleted);
  }

  async count(type: ResourceType, now: Date): Promise<number> {
    const { rows } = await this.#sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM directory.deleted_resources
       WHERE tenant = $1 AND resource_type = $2 AND restorable_until > $3`,
      [this.#tenant, type, now],
    );
    return rows[0]?.total ?? 0;
  }

  async forget(id: string): Promise<void> {
    await this.#sql.query('DELETE FROM directory.deleted_resources WHERE tenant = $1 AND id = $2', [
      this.#tenant,
      id,
    ]);
  }

  /** Puts a restored user or group back into groups, whose rows are locked. */
  async rejoin(type: ResourceType, id: string, groupIds: readonly string[], at: Date): Promise<void> {
    await this.#sql.query(
      `INSERT INTO directory.${type === 'User' ? 'user' : 'group'}_memberships (tenant, group_id, member_id, added_at)
       SELECT $1, group_id, $2::uuid, $4::timestamptz FROM unnest($3::uuid[]) AS group_id ORDER BY group_id`,
      [this.#tenant, id, groupIds, at],
    );
  }
}

const toDeleted = (row: DeletedRow): DeletedResource => ({
  id: row.id,
  type: row.resource_type,
  data: row.data,
  externalIds: row.external_ids,
  version: Number(row.version),
  createdAt: row.created_at,
  deletedAt: row.deleted_at,
  restorableUntil: row.restorable_until,
  actor: row.actor,
  groupIds: row.group_ids,
  memberIds: row.member_ids,
});
