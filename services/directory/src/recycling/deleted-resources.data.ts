import { type Connected, statement, stretchOf, typed } from '@ostiary/database';
import type { Actor, UserDeparture } from '@ostiary/events';
import type { IdPage } from '@ostiary/service';
import type { Prisma, PrismaClient } from '../database/generated/client.ts';
import { resourceTables } from '../resources/data/rows.ts';
import type { Attributes } from '../resources/index.ts';
import { ofEachType } from '../schemas/data/of-each-type.ts';
import type { ResourceType } from '../schemas/index.ts';
import type { DeletedResource, DeletedResourceStore } from './domain/ports.ts';

/** Period in which deleted resources can be restored, as an interval of PostgreSQL. */
const restorable = '30 days';

/** Maximum number of resources purged in one round. */
const expiryBatchSize = 200;

/** Returns deleted resources that can no longer be restored, of all tenants. */
export async function expiredResources(
  sql: Connected<PrismaClient>,
  now: Date,
): Promise<{ tenant: string; id: string; type: ResourceType }[]> {
  const prisma = await sql.prisma();
  const rows = await prisma.deletedResource.findMany({
    where: { restorableUntil: { lte: now } },
    select: { tenant: true, id: true, resourceType: true },
    orderBy: { restorableUntil: 'asc' },
    take: expiryBatchSize,
  });
  return rows.map(({ resourceType, ...key }) => ({ ...key, type: resourceType as ResourceType }));
}

/** The tenant's policy decides whether it is kept, and is read in the same statement. */
const keepDeleted = ofEachType((type) =>
  statement({
    name: `recycling.keep ${type}`,
    reason: 'atomic',
    text: `INSERT INTO directory.deleted_resources (tenant, id, resource_type, data, external_ids, version, created_at,
             deleted_at, restorable_until, actor, departure, group_ids, member_ids)
           SELECT r.tenant, r.id, '${type}', r.data, r.external_ids, $version::int8, r.created_at,
             $at::timestamptz, $at::timestamptz + interval '${restorable}', $actor::jsonb, $departure::jsonb,
             ARRAY(SELECT m.group_id FROM directory.user_memberships m WHERE m.tenant = $tenant AND m.member_id = r.id
                   UNION ALL
                   SELECT m.group_id FROM directory.group_memberships m WHERE m.tenant = $tenant AND m.member_id = r.id),
             ARRAY(SELECT m.member_id FROM directory.user_memberships m WHERE m.tenant = $tenant AND m.group_id = r.id
                   UNION ALL
                   SELECT m.member_id FROM directory.group_memberships m WHERE m.tenant = $tenant AND m.group_id = r.id)
           FROM ${resourceTables[type]} JOIN directory.tenants t ON t.id = r.tenant AND t.deletion_policy = 'soft'
           WHERE r.tenant = $tenant AND r.id = $id
           RETURNING restorable_until AS "restorableUntil"`,
    parameters: {
      tenant: 'text',
      id: 'uuid',
      version: 'int8',
      at: 'timestamptz',
      actor: typed<Actor>('jsonb'),
      departure: typed<UserDeparture>('jsonb?'),
    },
    columns: { restorableUntil: 'timestamptz' },
  }),
);

const lockDeleted = statement({
  name: 'recycling.lock',
  reason: 'atomic',
  text: `SELECT id, resource_type AS type, data, external_ids AS "externalIds", version, created_at AS "createdAt",
           deleted_at AS "deletedAt", restorable_until AS "restorableUntil", actor, departure, group_ids AS "groupIds",
           member_ids AS "memberIds"
         FROM directory.deleted_resources WHERE tenant = $tenant AND id = $id AND resource_type = $type FOR UPDATE`,
  parameters: { tenant: 'text', id: 'uuid', type: 'text' },
  columns: {
    id: 'uuid',
    type: typed<ResourceType>('text'),
    data: typed<Attributes>('jsonb'),
    externalIds: typed<Record<string, string>>('jsonb'),
    version: typed<number>('int8'),
    createdAt: 'timestamptz',
    deletedAt: 'timestamptz',
    restorableUntil: 'timestamptz',
    actor: typed<Actor>('jsonb'),
    departure: typed<UserDeparture | null>('jsonb?'),
    groupIds: 'uuid[]',
    memberIds: 'uuid[]',
  },
});

const memberships = { User: 'directory.user_memberships', Group: 'directory.group_memberships' } as const;

const rejoinGroups = ofEachType((type) =>
  statement({
    name: `recycling.rejoin ${type}`,
    reason: 'set',
    text: `INSERT INTO ${memberships[type]} (tenant, group_id, member_id, added_at)
           SELECT $tenant, group_id, $id::uuid, $at::timestamptz FROM unnest($groupIds::uuid[]) AS group_id ORDER BY group_id`,
    parameters: { tenant: 'text', id: 'uuid', at: 'timestamptz', groupIds: 'uuid[]' },
  }),
);

/** Deleted resources that one tenant keeps for a period. */
export class DeletedResources implements DeletedResourceStore {
  readonly #sql: Connected<PrismaClient>;
  readonly #tenant: string;

  constructor(sql: Connected<PrismaClient>, tenant: string) {
    this.#sql = sql;
    this.#tenant = tenant;
  }

  /**
   * Keeps a resource that is about to be deleted, with its groups and its members, if the tenant's policy requires
   * it. The caller holds its lock, and removes it from its groups afterwards.
   * @returns the end of the period in which it can be restored; undefined when it is deleted permanently
   */
  async keep(
    type: ResourceType,
    id: string,
    deletion: { version: number; at: Date; actor: Actor; departure?: UserDeparture | undefined },
  ): Promise<Date | undefined> {
    const kept = await keepDeleted[type].first(this.#sql, {
      tenant: this.#tenant,
      id,
      departure: undefined,
      ...deletion,
    });
    return kept?.restorableUntil;
  }

  /** Locks a deleted resource until the transaction ends. */
  lock(type: ResourceType, id: string): Promise<DeletedResource | undefined> {
    return lockDeleted.first(this.#sql, { tenant: this.#tenant, id, type });
  }

  /** Returns a page of the resources that can still be restored, in the order of their ids. */
  async page(type: ResourceType, { now, ...page }: IdPage & { now: Date }): Promise<DeletedResource[]> {
    const { beyond, ...stretch } = stretchOf(page);
    const prisma = await this.#sql.prisma();
    const rows = await prisma.deletedResource.findMany({
      where: { ...this.#restorable(type, now), ...beyond },
      ...stretch,
    });
    return rows.map(toDeleted);
  }

  async count(type: ResourceType, now: Date): Promise<number> {
    const prisma = await this.#sql.prisma();
    return prisma.deletedResource.count({ where: this.#restorable(type, now) });
  }

  async forget(id: string): Promise<void> {
    const prisma = await this.#sql.prisma();
    await prisma.deletedResource.deleteMany({ where: { tenant: this.#tenant, id } });
  }

  /** Adds a restored user or group to its former groups, whose rows are locked. */
  async rejoin(type: ResourceType, id: string, groupIds: readonly string[], at: Date): Promise<void> {
    await rejoinGroups[type].run(this.#sql, { tenant: this.#tenant, id, groupIds, at });
  }

  #restorable(type: ResourceType, now: Date) {
    return { tenant: this.#tenant, resourceType: type, restorableUntil: { gt: now } };
  }
}

const toDeleted = (row: Prisma.DeletedResourceModel): DeletedResource => ({
  id: row.id,
  type: row.resourceType as ResourceType,
  data: row.data as Attributes,
  externalIds: row.externalIds as Record<string, string>,
  version: Number(row.version),
  createdAt: row.createdAt,
  deletedAt: row.deletedAt,
  restorableUntil: row.restorableUntil,
  actor: row.actor as unknown as Actor,
  departure: row.departure as unknown as UserDeparture | null,
  groupIds: row.groupIds,
  memberIds: row.memberIds,
});
