import { fragment, type Sql, statement, typed } from '@ostiary/database';
import { type IdPage, isUuid } from '@ostiary/service';
import type { CredentialOwner } from '../../access/index.ts';
import { cancellingEnds } from '../../access/ownership/data/secret-ends.ts';
import { holdName } from '../../platform/database/data/advisory-lock.ts';
import type { Connection } from '../../platform/database/data/connection.ts';
import { stretchOf } from '../../platform/database/data/stretch.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import type { Receiver } from '../domain/delivery.ts';
import type { NewReceiver, ReceiverChange, ReceiverHealth, ReceiverStore } from '../domain/receiver-store.ts';

export const receiverFields = {
  tenant: true,
  id: true,
  kind: true,
  name: true,
  clientId: true,
  endpoint: true,
  status: true,
  statusReason: true,
  factTypes: true,
  settings: true,
  secrets: true,
  failingSince: true,
  verifiedAt: true,
  version: true,
  createdAt: true,
  updatedAt: true,
} as const satisfies Prisma.ReceiverSelect;

/** The casts are safe: only this service writes kinds, states and settings. */
export const receiverFrom = (
  row: Prisma.ReceiverGetPayload<{ select: typeof receiverFields }>,
): Receiver => ({
  ...row,
  kind: row.kind as Receiver['kind'],
  status: row.status as Receiver['status'],
  settings: row.settings as Receiver['settings'],
  secrets: row.secrets && Buffer.from(row.secrets),
});

const receiver = fragment(
  `tenant, id, kind, name, client_id AS "clientId", endpoint, status, status_reason AS "statusReason", fact_types AS "factTypes",
   settings, secrets, failing_since AS "failingSince", verified_at AS "verifiedAt", version, created_at AS "createdAt",
   updated_at AS "updatedAt"`,
  {
    tenant: 'text',
    id: 'uuid',
    kind: typed<Receiver['kind']>('text'),
    name: 'text',
    clientId: 'text?',
    endpoint: 'text?',
    status: typed<Receiver['status']>('text'),
    statusReason: 'text?',
    factTypes: 'text[]!',
    settings: typed<Receiver['settings']>('jsonb'),
    secrets: 'bytea?',
    failingSince: 'timestamptz?',
    verifiedAt: 'timestamptz?',
    version: 'int4',
    createdAt: 'timestamptz',
    updatedAt: 'timestamptz',
  },
);

/** FOR NO KEY UPDATE does not block rows that only reference the receiver. */
const lockReceiver = statement({
  name: 'signals.lock-receiver',
  reason: 'atomic',
  text: `SELECT ${receiver} FROM auth.receivers
          WHERE tenant = $tenant AND id = $id::uuid AND kind = $kind FOR NO KEY UPDATE`,
  parameters: { tenant: 'text', id: 'uuid', kind: 'text' },
  columns: receiver.columns,
});

/** Returns a receiver of a tenant. `lock` locks its row. */
export async function findReceiver(
  sql: Connection,
  tenant: string,
  id: string,
  { kind, lock }: { kind: Receiver['kind']; lock?: boolean },
): Promise<Receiver | undefined> {
  if (lock) return lockReceiver.first(sql, { tenant, id, kind });
  const prisma = await sql.prisma();
  const row = await prisma.receiver.findUnique({
    where: { tenant_id: { tenant, id }, kind },
    select: receiverFields,
  });
  return row === null ? undefined : receiverFrom(row);
}

/**
 * Returns receivers of one kind in order of creation, from a position on. Backward, the row nearest to the position is
 * first.
 */
export async function listReceivers(
  sql: Connection,
  tenant: string,
  kind: Receiver['kind'],
  page: IdPage,
): Promise<Receiver[]> {
  const { beyond, ...stretch } = stretchOf(page);
  const prisma = await sql.prisma();
  const rows = await prisma.receiver.findMany({
    where: { tenant, kind, ...beyond },
    ...stretch,
    select: receiverFields,
  });
  return rows.map(receiverFrom);
}

export async function countReceivers(
  sql: Connection,
  tenant: string,
  kind: Receiver['kind'],
): Promise<number> {
  const prisma = await sql.prisma();
  return prisma.receiver.count({ where: { tenant, kind } });
}

/** Serializes inserts of receivers in one tenant, so that a count is valid until the transaction ends. */
export const holdReceivers = (tx: Connection, tenant: string): Promise<void> =>
  holdName(tx, `receivers/${tenant}`);

const sealed = ({ secrets, settings }: NewReceiver | ReceiverChange) => ({
  settings: settings as Prisma.InputJsonObject,
  secrets: secrets && new Uint8Array(secrets),
});

/** Inserts a receiver. Returns undefined when the tenant already has `most` of its kind. */
export async function insertReceiver(
  tx: Connection,
  tenant: string,
  receiver: NewReceiver,
  most: number,
): Promise<Receiver | undefined> {
  await holdReceivers(tx, tenant);
  const { id, kind, name, clientId, endpoint, status, factTypes } = receiver;
  if ((await countReceivers(tx, tenant, kind)) >= most) return undefined;
  const prisma = await tx.prisma();
  const row = await prisma.receiver.create({
    data: { tenant, id, kind, name, clientId, endpoint, status, factTypes, ...sealed(receiver) },
    select: receiverFields,
  });
  return receiverFrom(row);
}

/** Overwrites a receiver whose lock the caller holds. Enabling it, or changing its endpoint, resets `failingSince`. */
export async function updateReceiver(
  tx: Connection,
  tenant: string,
  id: string,
  change: ReceiverChange,
): Promise<Receiver> {
  const prisma = await tx.prisma();
  const where = { tenant_id: { tenant, id } };
  const before = await prisma.receiver.findUniqueOrThrow({ where, select: { status: true, endpoint: true } });
  const { name, endpoint, status, statusReason, factTypes } = change;
  const updatedAt = new Date();
  const isResumed = status === 'enabled' && before.status !== 'enabled';
  const row = await prisma.receiver.update({
    where,
    data: {
      name,
      endpoint,
      status,
      statusReason,
      factTypes,
      ...sealed(change),
      version: { increment: 1 },
      updatedAt,
      ...(isResumed && { resumedAt: updatedAt }),
      ...((isResumed || endpoint !== before.endpoint) && { failingSince: null }),
    },
    select: receiverFields,
  });
  return receiverFrom(row);
}

const recordKnowers = statement({
  name: 'signals.record-secret-known',
  reason: 'atomic',
  text: `WITH replaced AS (
           ${cancellingEnds('webhook_secret', '$id::uuid::text')} AND NOT $overlaps
         )
         UPDATE auth.receivers SET secrets_known_to = ARRAY(
                  SELECT unnest($knownTo::uuid[]) UNION SELECT unnest(secrets_known_to) WHERE $overlaps)
          WHERE tenant = $tenant AND id = $id`,
  parameters: { tenant: 'text', id: 'uuid', knownTo: 'uuid[]', overlaps: 'bool' },
});

export async function recordSecretKnown(
  tx: Sql,
  { tenant, id }: Receiver,
  knownTo: readonly CredentialOwner[],
  overlaps: boolean,
): Promise<void> {
  await recordKnowers.run(tx, { tenant, id, knownTo: knownTo.map((knower) => knower.id), overlaps });
}

const failWaiting = statement({
  name: 'signals.give-up-waiting',
  reason: 'set',
  text: `UPDATE auth.deliveries SET state = 'dead', finished_at = now(), leased_until = NULL,
            last_error = 'The receiver is disabled.'
      WHERE tenant = $tenant AND receiver_kind = $kind AND receiver_id = $id AND state IN ('held', 'pending') AND NOT regardless`,
  parameters: { tenant: 'text', kind: 'text', id: 'text' },
});

/** Makes all undelivered messages of a disabled receiver dead letters; they can be replayed. */
export async function giveUpWaiting(tx: Sql, { tenant, kind, id }: Receiver): Promise<void> {
  await failWaiting.run(tx, { tenant, kind, id });
}

/**
 * Deletes a receiver. `pruneOutward` deletes its deliveries later, in batches. Returns false when the tenant has no
 * such receiver.
 */
export async function deleteReceiver(
  tx: Connection,
  tenant: string,
  id: string,
  kind: Receiver['kind'],
): Promise<boolean> {
  const prisma = await tx.prisma();
  return (await prisma.receiver.deleteMany({ where: { tenant, id, kind } })).count > 0;
}

/** Records whether messages arrive at a receiver. */
export async function noteHealth(
  sql: Connection,
  tenant: string,
  id: string,
  healthy: boolean,
): Promise<void> {
  const prisma = await sql.prisma();
  await prisma.receiver.updateMany({
    where: { tenant, id, failingSince: healthy ? { not: null } : null },
    data: { failingSince: healthy ? null : new Date() },
  });
}

/**
 * Disables a receiver that returned 410 (Gone). Returns false when it is already disabled or removed, or its endpoint
 * changed in the meantime.
 */
export async function disableReceiver(
  sql: Connection,
  { tenant, id, endpoint }: Receiver,
  statusReason: string,
): Promise<boolean> {
  const prisma = await sql.prisma();
  const { count } = await prisma.receiver.updateMany({
    where: { tenant, id, endpoint, status: { not: 'disabled' } },
    data: { status: 'disabled', statusReason, version: { increment: 1 }, updatedAt: new Date() },
  });
  return count > 0;
}

const holdStatus = statement({
  name: 'signals.receiver-status',
  reason: 'atomic',
  text: 'SELECT status FROM auth.receivers WHERE tenant = $tenant AND id = $id::uuid FOR SHARE',
  parameters: { tenant: 'text', id: 'uuid' },
  columns: { status: typed<Receiver['status']>('text') },
});

/** Returns the status of a receiver of any kind and locks it until the transaction ends. */
export const receiverStatus = async (
  tx: Sql,
  tenant: string,
  id: string,
): Promise<Receiver['status'] | undefined> => (await holdStatus.first(tx, { tenant, id }))?.status;

/** Returns the receiver or client of a tenant with this id. */
export async function findNotified(
  sql: Connection,
  tenant: string,
  id: string,
): Promise<{ kind: Receiver['kind'] | 'client'; id: string } | undefined> {
  const prisma = await sql.prisma();
  // Receiver ids are UUIDs and compare without case; client ids are case-sensitive.
  const receiverId = id.toLowerCase();
  const found = isUuid(receiverId)
    ? await prisma.receiver.findUnique({
        where: { tenant_id: { tenant, id: receiverId } },
        select: { kind: true, id: true },
      })
    : null;
  if (found) return { kind: found.kind as Receiver['kind'], id: found.id };
  const client = await prisma.client.findUnique({
    where: { tenant_clientId: { tenant, clientId: id } },
    select: { clientId: true },
  });
  return client ? { kind: 'client', id: client.clientId } : undefined;
}

export const receiverStore: ReceiverStore = {
  find: findReceiver,
  list: listReceivers,
  count: countReceivers,
  insert: insertReceiver,
  update: updateReceiver,
  recordSecretKnown,
  giveUpWaiting,
  delete: deleteReceiver,
};

export const receiverHealth = (sql: Connection): ReceiverHealth => ({
  note: (tenant, id, healthy) => noteHealth(sql, tenant, id, healthy),
  disable: (receiver, reason) => disableReceiver(sql, receiver, reason),
});
