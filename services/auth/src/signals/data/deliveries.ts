import type { Database, RowOf, Sql } from '@ostiary/database';
import type { DueDelivery, Receiver } from '../domain/delivery.ts';
import type {
  ClaimedDelivery,
  ClaimOptions,
  Decision,
  DeliveryQueue,
  OpenDeliveries,
} from '../domain/delivery-queue.ts';
import { countDead, countOpen, findDue, finish, putOff, takeOn } from './delivery-statements.ts';

/**
 * Leases due deliveries.
 * @returns `looked`: due rows examined, including those that wait for an earlier delivery
 */
export async function claimDue(
  database: Database<unknown>,
  o: ClaimOptions,
): Promise<{ looked: number; claimed: ClaimedDelivery[] }> {
  return database.transaction(async (tx) => {
    const due = await findDue.rows(tx, {
      kinds: o.kinds,
      perReceiver: o.perReceiver,
      slotKinds: o.slots.map((slot) => slot.kind),
      slotTenants: o.slots.map((slot) => slot.tenant),
      slotReceivers: o.slots.map((slot) => slot.receiverId),
      slots: o.slots.map((slot) => slot.slots),
      limit: o.limit,
      perTenant: o.perTenant,
      roomTenants: o.rooms.map(({ tenant }) => tenant),
      rooms: o.rooms.map(({ room }) => room),
    });
    if (due.length === 0) return { looked: 0, claimed: [] };
    const taken = await takeOn.rows(tx, { ...keysOf(due), leaseSeconds: o.leaseSeconds });
    const late = due.filter(({ tenant, id }) => !taken.some((row) => row.id === id && row.tenant === tenant));
    if (late.length > 0) await putOff.run(tx, keysOf(late));
    return { looked: due.length, claimed: taken.map(claimedFrom) };
  });
}

const keysOf = (rows: readonly { tenant: string; id: string }[]) => ({
  tenants: rows.map(({ tenant }) => tenant),
  ids: rows.map(({ id }) => id),
});

function claimedFrom(row: RowOf<typeof takeOn.columns>): ClaimedDelivery {
  const { fact, occurredAt } = row;
  return {
    tenant: row.tenant,
    id: row.id,
    receiverKind: row.receiverKind,
    receiverId: row.receiverId,
    subjectKey: row.subjectKey,
    variant: row.variant,
    payload: row.payload,
    attempt: row.attempt,
    createdAt: row.createdAt,
    replayed: row.replayed,
    ageSeconds: row.ageSeconds,
    waitedSeconds: row.waitedSeconds,
    fact: fact && {
      id: fact.id,
      type: fact.type,
      subject: { kind: fact.subjectKind, id: fact.subjectId },
      version: fact.version,
      occurredAt: occurredAt as Date,
      data: fact.data,
      actor: fact.actor,
      traceparent: fact.traceparent,
    },
    receiver: receiverOf(row),
  };
}

function receiverOf(row: RowOf<typeof takeOn.columns>): Receiver | null {
  if (row['r.id'] === null) return null;
  return {
    tenant: row.tenant,
    id: row['r.id'],
    kind: row['r.kind'],
    name: row['r.name'],
    clientId: row['r.clientId'],
    endpoint: row['r.endpoint'],
    status: row['r.status'],
    statusReason: row['r.statusReason'],
    factTypes: row['r.factTypes'],
    settings: row['r.settings'],
    secrets: row['r.secrets'],
    failingSince: row['r.failingSince'],
    verifiedAt: row['r.verifiedAt'],
    version: row['r.version'],
    createdAt: row['r.createdAt'],
    updatedAt: row['r.updatedAt'],
  };
}

/**
 * Stores the result of an attempt. After the lease has expired, only a successful delivery is stored.
 * @returns `decided`: the result was stored; `called`: the next delivery of this receiver and subject is due
 */
export async function finishDelivery(
  sql: Sql,
  { tenant, id, attempt }: DueDelivery,
  decision: Decision,
): Promise<{ decided: boolean; called: boolean }> {
  const found = await finish.first(sql, {
    tenant,
    id,
    attempt,
    state: decision.state,
    pauseSeconds: decision.pauseSeconds ?? 0,
    status: decision.status,
    error: decision.error,
  });
  return { decided: (found?.decided ?? 0) > 0, called: (found?.called ?? 0) > 0 };
}

/**
 * Counts undelivered messages by kind and state. `oldestSeconds` is the age of the oldest message, excluding paused and
 * polling receivers.
 */
export const openDeliveries = (sql: Sql): Promise<(OpenDeliveries & { oldestSeconds: number })[]> =>
  countOpen.rows(sql);

/** Counts dead letters by kind. The statement reads every dead letter, so it must not run in every round. */
export const deadDeliveries = (sql: Sql): Promise<OpenDeliveries[]> => countDead.rows(sql);

export const deliveryQueue = (database: Database<unknown>): DeliveryQueue => ({
  claimDue: (o) => claimDue(database, o),
  finish: (delivery, decision) => finishDelivery(database.sql, delivery, decision),
});
