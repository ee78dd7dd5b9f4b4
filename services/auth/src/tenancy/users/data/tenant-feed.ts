import { type RowOf, type Sql, statement, typed } from '@ostiary/database';
import { clusterId } from '../../../platform/database/data/cluster-id.ts';
import { beginning, type FeedSnapshot, includes, snapshotOf, snapshotText } from '../domain/feed-snapshot.ts';
import type { LoggedRevocation, TenantReading, TokenRevocationKind } from '../domain/revocation-log.ts';

/**
 * Runs once per process after revocations of a tenant whose feed is in use. One statement reads the snapshot and the
 * entries; without an entry it returns one row.
 */
const readTenant = statement({
  name: 'subjects.tenant-feed',
  reason: 'hot path',
  text: `SELECT position.*, page.seq::text AS seq, page.xid::text AS xid, page.kind, page.key, page.epoch,
            extract(epoch FROM page.expires_at)::bigint::text AS "expiresAt"
       FROM (SELECT ${clusterId} AS cluster,
                    pg_current_snapshot()::text AS snapshot) position
       LEFT JOIN (SELECT * FROM auth.revocations r
                   WHERE r.tenant = $tenant AND r.kind <> 'owner' AND r.expires_at > now()
                     AND r.xid >= $xid::text::xid8 AND (r.xid > $xid::text::xid8 OR r.seq > $seq)
                     AND NOT pg_visible_in_snapshot(r.xid, $since::text::pg_snapshot)
                   ORDER BY r.xid, r.seq LIMIT $limit) page ON true
      ORDER BY page.xid, page.seq`,
  parameters: { tenant: 'text', xid: 'text', seq: 'int8', since: 'text', limit: 'int8' },
  columns: {
    cluster: 'text',
    snapshot: 'text',
    seq: 'text?',
    xid: 'text?',
    kind: typed<TokenRevocationKind>('text'),
    key: 'text',
    epoch: 'int4?',
    expiresAt: 'text',
  },
});

type Row = RowOf<typeof readTenant.columns>;
type EntryRow = Row & { seq: string; xid: string };

const batchSize = 5_000;

/**
 * Reads the entries of a tenant that a snapshot of the cluster does not include: all of them for another cluster. A
 * promoted standby that lacks the last transactions, or a restored copy, assigns their ids again.
 */
export async function readTenantFeed(
  sql: Sql,
  tenant: string,
  since: { cluster: string; snapshot: FeedSnapshot } | undefined,
  limit = batchSize,
): Promise<TenantReading> {
  const known = since?.snapshot ?? beginning;
  const from = { tenant, since: snapshotText(known), limit };
  const entries: LoggedRevocation[] = [];
  let first: { cluster: string; snapshot: FeedSnapshot } | undefined;
  let after = { xid: known.xmin.toString(), seq: '0' };
  for (;;) {
    const rows = await readTenant.rows(sql, { ...from, ...after });
    const [position] = rows;
    if (!position) throw new Error('the database returned no position');
    const snapshot = snapshotOf(position.snapshot);
    first ??= { cluster: position.cluster, snapshot };
    if (first.cluster !== position.cluster || (since && since.cluster !== position.cluster))
      return readTenantFeed(sql, tenant, undefined, limit);
    const found = rows.filter((row): row is EntryRow => row.seq !== null);
    entries.push(...found.flatMap((row) => entryOf(row, first?.snapshot ?? snapshot, snapshot, since)));
    const last = found.at(-1);
    if (!last || found.length < limit) return { ...first, entries };
    after = { xid: last.xid, seq: last.seq };
  }
}

/**
 * Returns an entry of the first snapshot. A row that its own snapshot does not include has the transaction id of another
 * server, from which it was restored; it is found by every reading, and needed only by the first one.
 */
function entryOf(
  row: EntryRow,
  first: FeedSnapshot,
  own: FeedSnapshot,
  since: object | undefined,
): LoggedRevocation[] {
  const xid = BigInt(row.xid);
  const isForeign = !includes(own, xid);
  // Entries of later batches that the first snapshot lacks are in the next reading.
  if (isForeign ? since !== undefined : !includes(first, xid)) return [];
  const { kind, key, epoch } = row;
  return [
    {
      seq: BigInt(row.seq),
      xid: isForeign ? 0n : xid,
      kind,
      key,
      expiresAt: Number(row.expiresAt),
      ...(epoch === null ? {} : { epoch }),
    },
  ];
}
