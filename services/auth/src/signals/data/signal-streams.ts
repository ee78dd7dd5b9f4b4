import { type Sql, statement } from '@ostiary/database';
import { isUuid } from '@ostiary/service';
import type { Connection } from '../../platform/database/data/connection.ts';
import type { Receiver } from '../domain/delivery.ts';
import {
  type Exclusion,
  primaryAddress,
  type SignalSubjects,
  type StreamOwner,
  type StreamStore,
} from '../domain/stream-store.ts';
import { findReceiver, holdReceivers, receiverFields, receiverFrom } from './receivers.ts';

/** Returns a stream of a client. `lock` locks its row. */
export async function findStream(
  sql: Connection,
  { tenant, clientId }: StreamOwner,
  id: string,
  o: { lock?: boolean } = {},
): Promise<Receiver | undefined> {
  if (!isUuid(id)) return undefined;
  const found = await findReceiver(sql, tenant, id, { kind: 'ssf', ...o });
  return found?.clientId === clientId ? found : undefined;
}

/** Returns all streams of a client in order of creation. */
export async function listStreams(sql: Connection, { tenant, clientId }: StreamOwner): Promise<Receiver[]> {
  const prisma = await sql.prisma();
  const rows = await prisma.receiver.findMany({
    where: { tenant, kind: 'ssf', clientId },
    orderBy: { id: 'asc' },
    select: receiverFields,
  });
  return rows.map(receiverFrom);
}

/** Counts the streams of a client, with the tenant's receivers locked until the transaction ends. */
export async function countStreams(tx: Connection, { tenant, clientId }: StreamOwner): Promise<number> {
  await holdReceivers(tx, tenant);
  const prisma = await tx.prisma();
  return prisma.receiver.count({ where: { tenant, kind: 'ssf', clientId } });
}

const verify = statement({
  name: 'signals.note-verification',
  reason: 'atomic',
  text: `UPDATE auth.receivers SET verified_at = now()
      WHERE tenant = $tenant AND id = $id::uuid AND (verified_at IS NULL OR verified_at <= now() - make_interval(secs => $seconds))`,
  parameters: { tenant: 'text', id: 'uuid', seconds: 'float8' },
});

/**
 * Records a verification request. Returns false when the last one was less than `seconds` ago. Of concurrent requests,
 * one succeeds.
 */
export async function noteVerification(tx: Sql, { tenant, id }: Receiver, seconds: number): Promise<boolean> {
  return (await verify.count(tx, { tenant, id, seconds })) > 0;
}

const exclude = statement({
  name: 'signals.exclude',
  reason: 'atomic',
  text: `WITH excluded AS (
       INSERT INTO auth.receiver_exclusions (tenant, receiver_id, subject_kind, subject_id)
       SELECT $tenant, $id::uuid, $subjectKind, $subjectId
       WHERE (SELECT count(*) FROM auth.receiver_exclusions WHERE tenant = $tenant AND receiver_id = $id::uuid) < $most
       ON CONFLICT DO NOTHING RETURNING 1
     )
     SELECT EXISTS (SELECT FROM excluded) OR EXISTS (
       SELECT FROM auth.receiver_exclusions WHERE tenant = $tenant AND receiver_id = $id::uuid
          AND subject_kind = $subjectKind AND subject_id = $subjectId) AS fits`,
  parameters: { tenant: 'text', id: 'uuid', subjectKind: 'text', subjectId: 'text', most: 'int8' },
  columns: { fits: 'bool' },
});

/** Excludes a subject. Returns false when `most` subjects are already excluded. Repeating it has no effect. */
export async function excludeSubject(
  tx: Sql,
  { tenant, id }: Receiver,
  subject: Exclusion,
  most: number,
): Promise<boolean> {
  const excluded = await exclude.first(tx, {
    tenant,
    id,
    subjectKind: subject.kind,
    subjectId: subject.id,
    most,
  });
  return excluded?.fits === true;
}

// Sets `updated_at`, because the receiver subscribes to more than before.
const include = statement({
  name: 'signals.include',
  reason: 'atomic',
  text: `WITH included AS (
       DELETE FROM auth.receiver_exclusions WHERE tenant = $tenant AND receiver_id = $id::uuid
          AND subject_kind = $subjectKind AND subject_id = $subjectId RETURNING 1
     )
     UPDATE auth.receivers SET updated_at = now()
      WHERE tenant = $tenant AND id = $id::uuid AND EXISTS (SELECT FROM included)`,
  parameters: { tenant: 'text', id: 'uuid', subjectKind: 'text', subjectId: 'text' },
});

export async function includeSubject(sql: Sql, { tenant, id }: Receiver, subject: Exclusion): Promise<void> {
  await include.run(sql, { tenant, id, subjectKind: subject.kind, subjectId: subject.id });
}

/**
 * Reports whether a user was offboarded after a version of theirs and not reactivated, by the events that auth has
 * processed.
 */
export async function hasLeftSince(
  sql: Connection,
  tenant: string,
  subjectId: string,
  version: string | null,
): Promise<boolean> {
  if (!isUuid(subjectId) || version === null) return false;
  const prisma = await sql.prisma();
  const left = await prisma.subject.findUnique({
    where: { tenant_id: { tenant, id: subjectId }, active: false, version: { gt: BigInt(version) } },
    select: { id: true },
  });
  return left !== null;
}

/**
 * Returns a user's e-mail address from the last event that auth processed; undefined without address, or for a deleted
 * user.
 */
export async function addressOf(
  sql: Connection,
  tenant: string,
  subjectId: string,
): Promise<string | undefined> {
  if (!isUuid(subjectId)) return undefined;
  const prisma = await sql.prisma();
  const subject = await prisma.subject.findUnique({
    where: { tenant_id: { tenant, id: subjectId } },
    select: { profile: true },
  });
  return primaryAddress((subject?.profile as { emails?: unknown } | undefined)?.emails);
}

export const streamStore: StreamStore = {
  find: findStream,
  list: listStreams,
  count: countStreams,
  noteVerification,
  exclude: excludeSubject,
  include: includeSubject,
};

export const signalSubjects = (sql: Connection): SignalSubjects => ({
  hasLeftSince: (tenant, subjectId, version) => hasLeftSince(sql, tenant, subjectId, version),
  addressOf: (tenant, subjectId) => addressOf(sql, tenant, subjectId),
});
