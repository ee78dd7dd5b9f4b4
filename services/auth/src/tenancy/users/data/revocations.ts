import type { Revocation, RevocationKind, RevocationPage } from '@ostiary/access';
import { type RowOf, type Sql, statement, typed } from '@ostiary/database';
import { clusterId } from '../../../platform/database/data/cluster-id.ts';
import { pruning } from '../../../platform/database/data/pruning.ts';
import type { NewRevocation } from '../domain/revocation-feed.ts';

/** Interval in seconds at which each process records the lifetime of its tokens, and tolerance for late records. */
export const lifetimeNotedEverySeconds = 60;
const lifetimeMarginSeconds = 2 * lifetimeNotedEverySeconds;

/**
 * Uses PostgreSQL's clock, which also decides the deletion. A process whose clock is behind would cause an early
 * deletion.
 */
const noteLifetime = statement({
  name: 'subjects.note-token-lifetime',
  reason: 'atomic',
  text: `INSERT INTO auth.access_token_lifetimes (seconds) VALUES ($seconds)
         ON CONFLICT (seconds) DO UPDATE SET used_at = now()`,
  parameters: { seconds: 'int4' },
});

/** Records the lifetime of the tokens that this process issues. */
export async function noteTokenLifetime(sql: Sql, seconds: number): Promise<void> {
  await noteLifetime.run(sql, { seconds });
}

/** Returns the condition that no revocation names a key. @param key expression */
export const noRevocation = (kind: RevocationKind, key: string): string => `NOT EXISTS (
  SELECT 1 FROM auth.revocations r
  WHERE r.tenant = $tenant AND r.kind = '${kind}' AND r.key = ${key} AND r.expires_at > now())`;

const pruneLifetimes = statement({
  name: 'subjects.prune-token-lifetimes',
  reason: 'set',
  text: `DELETE FROM auth.access_token_lifetimes WHERE seconds IN (
       SELECT seconds FROM auth.access_token_lifetimes WHERE used_at < now() - make_interval(secs => seconds + $marginSeconds::int)
        LIMIT $limit FOR UPDATE SKIP LOCKED)`,
  parameters: { limit: 'int8', marginSeconds: 'int4' },
});

/** Deletes lifetimes whose last tokens have expired; returns their number. */
export const pruneTokenLifetimes = (sql: Sql, limit: number): Promise<number> =>
  pruneLifetimes.count(sql, { limit, marginSeconds: lifetimeMarginSeconds });

/** Runs for each offboarding. */
const append = statement({
  name: 'subjects.append-revocations',
  reason: 'set',
  text: `WITH entries AS (
       SELECT * FROM unnest($tenants::text[], $kinds::text[], $keys::text[], $epochs::int[], $expiries::bigint[])
         WITH ORDINALITY AS e(tenant, kind, key, epoch, expires, position)
     ), longest AS (
       SELECT greatest(max(seconds) - $tokenSeconds::int, 0) AS more FROM auth.access_token_lifetimes
        WHERE used_at > now() - make_interval(secs => seconds + ${lifetimeMarginSeconds})
     ), appended AS (
       INSERT INTO auth.revocations (tenant, kind, key, epoch, expires_at, reason)
       SELECT tenant, kind, key, epoch, to_timestamp(expires + more), $reason FROM entries, longest ORDER BY position
       RETURNING seq, expires_at
     )
     SELECT seq::text AS seq, extract(epoch FROM expires_at)::float8 AS "expiresAt" FROM appended ORDER BY appended.seq`,
  parameters: {
    tenants: 'text[]',
    kinds: 'text[]',
    keys: 'text[]',
    epochs: 'int4[]',
    expiries: 'int8[]',
    reason: 'text?',
    tokenSeconds: 'int4',
  },
  columns: { seq: 'text', expiresAt: 'float8' },
});

/**
 * Appends to the feed in the caller's transaction. Readers see the rows after its commit.
 * @param tokenSeconds lifetime of access tokens in the entries' expiry. If tokens with a longer lifetime from before a
 * configuration change may exist, the expiry is extended by the difference.
 */
export async function appendRevocations(
  tx: Sql,
  entries: readonly NewRevocation[],
  reason: string | undefined,
  tokenSeconds: number,
): Promise<Revocation[]> {
  if (entries.length === 0) return [];
  const rows = await append.rows(tx, {
    tenants: entries.map((entry) => entry.tenant),
    kinds: entries.map((entry) => entry.kind),
    keys: entries.map((entry) => entry.key),
    epochs: entries.map((entry) => entry.epoch ?? null),
    expiries: entries.map((entry) => entry.expiresAt),
    reason,
    tokenSeconds,
  });
  return entries.map((entry, index) => ({
    ...entry,
    seq: rows[index]?.seq ?? '0',
    expiresAt: rows[index]?.expiresAt ?? entry.expiresAt,
  }));
}

/**
 * Every verifier runs this each second, so one statement reads open transactions, the last entry and the page in one
 * snapshot. Without an entry it returns one row.
 */
const readPage = statement({
  name: 'subjects.feed-page',
  reason: 'hot path',
  text: `SELECT position.*, page.seq::text AS seq, page.xid::text AS xid, page.tenant, page.kind, page.key, page.epoch,
            extract(epoch FROM page.expires_at)::bigint::text AS "expiresAt"
       FROM (SELECT ${clusterId} AS cluster,
                    pg_snapshot_xmin(pg_current_snapshot())::text AS xmin,
                    pg_snapshot_xmax(pg_current_snapshot())::text AS xmax,
                    (SELECT coalesce(max(seq), 0)::text FROM auth.revocations) AS "maxSeq") position
       LEFT JOIN (SELECT * FROM auth.revocations r
                   WHERE r.xid >= $xid::text::xid8 AND (r.xid > $xid::text::xid8 OR r.seq > $seq) AND r.expires_at > now()
                   ORDER BY r.xid, r.seq LIMIT $limit) page ON true
      ORDER BY page.xid, page.seq`,
  parameters: { xid: 'text', seq: 'int8', limit: 'int8' },
  columns: {
    cluster: 'text',
    xmin: 'text',
    xmax: 'text',
    maxSeq: 'text',
    seq: 'text?',
    xid: 'text?',
    tenant: 'text',
    kind: typed<RevocationKind>('text'),
    key: 'text',
    epoch: 'int4?',
    expiresAt: 'text',
  },
});

type PageRow = RowOf<typeof readPage.columns>;
type Position = Pick<PageRow, 'cluster' | 'xmin' | 'xmax' | 'maxSeq'>;
type Entry = Omit<PageRow, 'seq' | 'xid'> & { seq: string; xid: string };

/** Maximum number of entries per page. */
const pageSize = 1_000;

/**
 * Returns a page of the live entries after a cursor; from the beginning without one.
 *
 * Sequence numbers are assigned before transactions commit, so reading "all with a higher number" would skip late
 * commits. The cursor is therefore the oldest transaction that was open when the reading began (`<cluster>.<xid>`). The
 * next reading begins there. An entry may be returned twice, but none is skipped. A cursor of another cluster, or one
 * beyond the end of a restored backup, starts from the beginning. So does a cursor from before a restart of the server
 * (`<cluster>` contains the start time): a promoted standby that lacks the last transactions, or a copy of the disk,
 * assigns their numbers again.
 *
 * A reading may take several pages, in the order of transactions. Between them the cursor also contains the position of
 * the last entry (`<cluster>.<xid>.<last xid>.<last seq>`). A transaction that commits behind that position in the
 * meantime is not older than the one with which the next reading begins.
 */
export async function revocationPage(
  sql: Sql,
  after: string | undefined,
  limit = pageSize,
): Promise<RevocationPage> {
  const asked = cursorOf(after);
  let { position, rows } = await readFrom(sql, asked ?? fromTheBeginning, limit);
  const known = asked !== undefined && isOurs(asked, position);
  if (asked !== undefined && !known) ({ position, rows } = await readFrom(sql, fromTheBeginning, limit));
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const next = `${position.cluster}.${(known && asked.next) || position.xmin}`;
  return {
    cursor: last ? `${next}.${last.xid}.${last.seq}` : next,
    entries: page.map(({ seq, tenant, kind, key, epoch, expiresAt }) => ({
      seq,
      tenant,
      kind,
      key,
      expiresAt: Number(expiresAt),
      ...(epoch === null ? {} : { epoch }),
    })),
    maxSeq: position.maxSeq,
    more: last !== undefined,
  };
}

/** One snapshot: a transaction that is open in it is at or after the new cursor. */
async function readFrom(
  sql: Sql,
  { xid, seq }: { xid: string; seq: string },
  limit: number,
): Promise<{ position: Position; rows: Entry[] }> {
  const rows = await readPage.rows(sql, { xid, seq, limit: limit + 1 });
  const [position] = rows;
  if (!position) throw new Error('the database returned no position');
  return { position, rows: rows.filter((row): row is Entry => row.seq !== null) };
}

interface Cursor {
  cluster: string;
  /** Transaction with which the reading began. */
  begun: string;
  /** Start of the page: a transaction, and the last sequence number of it in the previous page. */
  xid: string;
  seq: string;
  /** Transaction with which the next reading begins; undefined if the next reading is this one. */
  next: string | undefined;
}

const fromTheBeginning = { xid: '0', seq: '0' };
const largestXid = 2n ** 64n - 1n;
const largestSeq = 2n ** 63n - 1n;

/** Returns undefined for an invalid cursor. */
function cursorOf(after: string | undefined): Cursor | undefined {
  const [, cluster, begun, xid, seq] =
    /^(\d{1,20}-\d{1,20})\.(\d{1,20})(?:\.(\d{1,20})\.(\d{1,19}))?$/.exec(after ?? '') ?? [];
  if (cluster === undefined || begun === undefined || BigInt(begun) > largestXid) return undefined;
  if (xid === undefined || seq === undefined)
    return { cluster, begun, xid: begun, seq: '0', next: undefined };
  // The position may be beyond the current transaction: rows of a dump have the numbers of their origin.
  if (BigInt(xid) > largestXid || BigInt(seq) > largestSeq) return undefined;
  return { cluster, begun, xid, seq, next: begun };
}

const isOurs = ({ cluster, begun }: Cursor, position: Position): boolean =>
  cluster === position.cluster && BigInt(begun) <= BigInt(position.xmax);

/** Deletes entries that no valid token can match; returns their number. */
export const pruneRevocations = pruning(
  'subjects.prune-revocations',
  'revocations',
  "expires_at < now() - interval '10 minutes'",
  'seq',
);
