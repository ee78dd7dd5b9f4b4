import { type ReplicaReads, type Sql, statement, typed } from '@ostiary/database';
import type { BoundedCount, IdPage } from '@ostiary/service';
import { clientAs } from '../../clients/data/client-conditions.ts';
import type { Connection } from '../../platform/database/data/connection.ts';
import { defined, stretchOf } from '../../platform/database/data/stretch.ts';
import type { Prisma, PrismaClient } from '../../platform/database/generated/client.ts';
import type { FactType, ReceiverKind, SubjectKind } from '../../tenancy/index.ts';
import type { DeliveryState } from '../domain/delivery.ts';
import type { DeliveryFilter, DeliveryStore, DeliverySummary } from '../domain/delivery-store.ts';
import { findNotified, receiverStatus } from './receivers.ts';

const fields = {
  id: true,
  receiverKind: true,
  receiverId: true,
  payload: true,
  state: true,
  attempts: true,
  dueAt: true,
  leasedUntil: true,
  lastStatus: true,
  lastError: true,
  createdAt: true,
  finishedAt: true,
  fact: { select: { type: true, subjectKind: true, subjectId: true } },
} as const satisfies Prisma.DeliverySelect;

type Row = Prisma.DeliveryGetPayload<{ select: typeof fields }>;

/** The casts are safe: only this service writes kinds, types and states. */
const toSummary = ({ fact, payload, dueAt, leasedUntil: _, ...row }: Row): DeliverySummary => ({
  ...row,
  receiverKind: row.receiverKind as ReceiverKind,
  type: (fact?.type as FactType | undefined) ?? (payload as { type?: string } | null)?.type ?? null,
  subjectKind: (fact?.subjectKind as SubjectKind | undefined) ?? null,
  subjectId: fact?.subjectId ?? null,
  state: row.state as DeliveryState,
  nextAttemptAt: row.state === 'pending' ? dueAt : null,
});

/**
 * Returns deliveries of a tenant, newest first, from a position on. Backward, the row nearest to the position is first.
 */
export async function listDeliveries(
  sql: Connection,
  tenant: string,
  filter: DeliveryFilter,
  page: IdPage,
): Promise<DeliverySummary[]> {
  const { beyond, ...stretch } = stretchOf(page, { newestFirst: true });
  const prisma = await sql.prisma();
  const rows = await prisma.delivery.findMany({
    where: { ...conditions(tenant, filter), ...beyond },
    ...stretch,
    select: fields,
  });
  return rows.map(toSummary);
}

/** Maximum number of deliveries counted for a list. */
const countedAtMost = 20_000;

/**
 * Counts matching deliveries up to a maximum.
 * @param most maximum number of rows counted, newest first
 */
export async function countDeliveries(
  sql: Connection,
  tenant: string,
  filter: DeliveryFilter,
  most = countedAtMost,
): Promise<BoundedCount> {
  const prisma = await sql.prisma();
  const looked = await prisma.delivery.count({
    where: conditions(tenant, filter),
    orderBy: { id: 'desc' },
    take: most + 1,
  });
  return { total: Math.min(looked, most), isExact: looked <= most };
}

const lockDelivery = statement({
  name: 'signals.lock-delivery',
  reason: 'atomic',
  text: `SELECT coalesce(leased_until > now(), false) AS "underWay" FROM auth.deliveries
          WHERE tenant = $tenant AND id = $id FOR UPDATE`,
  parameters: { tenant: 'text', id: 'uuid' },
  columns: { underWay: 'bool' },
});

/** Returns a delivery of a tenant. `lock` locks its row against workers and other requests. */
export async function findDelivery(
  sql: Connection,
  tenant: string,
  id: string,
  o: { lock?: boolean } = {},
): Promise<(DeliverySummary & { underWay: boolean }) | undefined> {
  const locked = o.lock ? await lockDelivery.first(sql, { tenant, id }) : undefined;
  const prisma = await sql.prisma();
  const row = await prisma.delivery.findUnique({ where: { tenant_id: { tenant, id } }, select: fields });
  if (row === null) return undefined;
  const underWay = locked?.underWay ?? (row.leasedUntil !== null && row.leasedUntil > new Date());
  return { ...toSummary(row), underWay };
}

/** Makes a delivery pending again with a new retry period. Its position among the deliveries of its subject stays. */
export async function reviveDelivery(tx: Connection, tenant: string, id: string): Promise<void> {
  const prisma = await tx.prisma();
  const now = new Date();
  await prisma.delivery.updateMany({
    where: { tenant, id },
    data: { state: 'pending', dueAt: now, begunAt: now, attempts: 0, finishedAt: null, leasedUntil: null },
  });
}

const reviveSome = statement({
  name: 'signals.revive-dead',
  reason: 'set',
  text: `UPDATE auth.deliveries SET state = 'pending', due_at = now(), begun_at = now(), attempts = 0, finished_at = NULL,
            leased_until = NULL
      WHERE (tenant, id) IN (
        SELECT tenant, id FROM auth.deliveries
         WHERE state = 'dead' AND tenant = $tenant AND receiver_id = $receiverId
           AND ($since::timestamptz IS NULL OR created_at >= $since)
         ORDER BY id LIMIT $limit FOR UPDATE)`,
  parameters: { tenant: 'text', receiverId: 'text', since: 'timestamptz?', limit: 'int8' },
});

/**
 * Revives up to `limit` dead letters of a receiver created since a time, as `reviveDelivery` does.
 * @returns number of deliveries
 */
export const reviveDead = (
  tx: Sql,
  tenant: string,
  receiverId: string,
  since: Date | undefined,
  limit: number,
): Promise<number> => reviveSome.count(tx, { tenant, receiverId, since, limit });

/** Deliveries `d` with their fact `f` and their receiver `r` or client `c`, all optional, for a FROM clause. */
export const deliveriesWithReceivers = `auth.deliveries d
  LEFT JOIN auth.facts f ON f.tenant = d.tenant AND f.id = d.fact_id
  LEFT JOIN auth.receivers r ON r.tenant = d.tenant AND r.id::text = d.receiver_id
  LEFT JOIN ${clientAs('d.tenant', 'd.receiver_id')}`;

const removeDelivery = statement({
  name: 'signals.delete-delivery',
  reason: 'atomic',
  text: `DELETE FROM auth.deliveries WHERE tenant = $tenant AND id = $id
     RETURNING receiver_kind AS kind, receiver_id AS "receiverId", subject_key AS "subjectKey",
               position::text AS position, state, fact_id AS "factId"`,
  parameters: { tenant: 'text', id: 'uuid' },
  columns: {
    kind: typed<ReceiverKind>('text'),
    receiverId: 'text',
    subjectKey: 'text',
    position: 'text',
    state: typed<DeliveryState>('text'),
    factId: 'uuid?',
  },
});

/** Makes the first pending delivery of a receiver and subject due, if it waited for the deleted one. */
const callNext = statement({
  name: 'signals.call-next',
  reason: 'atomic',
  text: `UPDATE auth.deliveries SET due_at = least(now(), begun_at) WHERE (tenant, id) IN (
         SELECT tenant, id FROM (
           SELECT tenant, id, position FROM auth.deliveries
            WHERE state = 'pending' AND tenant = $tenant AND receiver_kind = $kind AND receiver_id = $receiverId
              AND subject_key = $subjectKey
            ORDER BY position LIMIT 1) first WHERE position > $position::bigint)
         AND state = 'pending' AND (leased_until IS NULL OR leased_until < now())`,
  parameters: { tenant: 'text', kind: 'text', receiverId: 'text', subjectKey: 'text', position: 'int8' },
});

const removeFact = statement({
  name: 'signals.delete-fact',
  reason: 'atomic',
  text: `DELETE FROM auth.facts f WHERE tenant = $tenant AND id = $id
       AND NOT EXISTS (SELECT FROM auth.deliveries d WHERE d.tenant = f.tenant AND d.fact_id = f.id)`,
  parameters: { tenant: 'text', id: 'uuid' },
});

/** Deletes a delivery whose lock the caller holds, and makes the next one of its receiver and subject due. */
export async function deleteDelivery(tx: Sql, tenant: string, id: string): Promise<void> {
  const deleted = await removeDelivery.first(tx, { tenant, id });
  if (!deleted) return;
  const { state, factId, ...place } = deleted;
  if (state === 'pending') await callNext.run(tx, { tenant, ...place });
  if (factId !== null) await removeFact.run(tx, { tenant, id: factId });
}

function conditions(tenant: string, filter: DeliveryFilter): Prisma.DeliveryWhereInput {
  const { receiverId, receiverKind, state, type, since } = filter;
  const subjectId = filter.subjectId?.toLowerCase();
  return defined<Prisma.DeliveryWhereInput>({
    tenant,
    // Receiver ids are UUIDs and compare without case; client ids are case-sensitive.
    receiverId:
      receiverId === undefined ? undefined : { in: [...new Set([receiverId, receiverId.toLowerCase()])] },
    receiverKind,
    state,
    subjectKey:
      subjectId === undefined
        ? undefined
        : { in: ['user', 'group', 'client'].map((kind) => `${kind}:${subjectId}`) },
    fact: type === undefined ? undefined : { type },
    createdAt: since && { gte: since },
  });
}

export const deliveryStore = (replica: ReplicaReads<PrismaClient>): DeliveryStore => ({
  list: (primary: Connection, tenant, filter, page) =>
    replica.read('auth.deliveries.page', [tenant], primary, (sql) =>
      listDeliveries(sql, tenant, filter, page),
    ),
  count: (primary: Connection, tenant, filter) =>
    replica.read('auth.deliveries.count', [tenant], primary, (sql) => countDeliveries(sql, tenant, filter)),
  find: findDelivery,
  revive: reviveDelivery,
  reviveDead,
  delete: deleteDelivery,
  findNotified,
  receiverStatus,
});
