import type pg from 'pg';
import { createPool, type PoolOptions } from '../connection/pool.ts';
import { UnfitServer } from '../connection/servers.ts';
import type { DatabaseLog } from '../log.ts';
import type { Connected, Sql } from '../sql.ts';
import { reading, type TransactionParts } from '../transaction.ts';
import { Freshness, lsnOf, type WalPosition } from './freshness.ts';
import { maxAgeMs, OwnWrites } from './own-writes.ts';
import type { ReplicaRead } from './reads.ts';
import { StandbyServers } from './standby-servers.ts';

/** Outcome of a read that a replica may answer; the primary answers all except `replica`. */
export const replicaOutcomes = [
  /** The replica answered. */
  'replica',
  /** This process has recently written to the tenant. */
  'own_write',
  /** The replica lacks data older than one second. */
  'behind',
  /** The connection failed or timed out, now or recently. */
  'unreachable',
  /** The server is no standby, or one of another database or timeline. */
  'unfit',
  /** The primary does not report the end of its log. */
  'unknown',
  /** The read failed on the replica, or took too long. */
  'failed',
] as const;

export type ReplicaOutcome = (typeof replicaOutcomes)[number];

export interface ObservedRead {
  name: ReplicaRead;
  outcome: ReplicaOutcome;
  /** Maximum age in ms of the replica's data, if it was queried. */
  lagMs?: number;
}

/** Reads that may be one second old. */
export interface ReplicaReads<P> {
  /**
   * Reads from a replica that has everything committed until one second ago; otherwise, or without a replica,
   * from `primary`.
   * @param tenants tenants of the rows
   * @param work only reads; it may run twice
   */
  read<T>(
    name: ReplicaRead,
    tenants: readonly string[],
    primary: Connected<P>,
    work: (sql: Connected<P>) => Promise<T>,
  ): Promise<T>;
  /** Undefined without a replica. */
  readonly standby: StandbyUse | undefined;
}

export interface StandbyUse {
  /**
   * Marks the start of a change in a tenant, whose reads then use the primary until one second after its end.
   * @returns a function to call at the end
   */
  writing(tenant: string): () => void;
  onRead(listener: (read: ObservedRead) => void): void;
}

/** Returns reads without a replica, all from the primary. */
export const primaryOnly = <P>(): ReplicaReads<P> => ({
  read: (_name, _tenants, primary, work) => work(primary),
  standby: undefined,
});

/** Timeout in ms of a connection to the replica, and of its state. */
const answerMs = 500;
/** Timeout in ms of a read, after which the primary is used. */
const statementMs = 2_000;
/** Time in ms within which the end of the primary's log is not queried again. */
const markedMs = 250;
/** Time in ms for which an unresponsive replica is not used: only one read per interval waits for it. */
const asideMs = 2_000;
/** Pauses in ms between checks of the replica, because recent commits need a moment to arrive. */
const pausesMs = [0, 10, 30];

const markQuestion = `SELECT (pg_control_system()).system_identifier::text AS system,
  left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline,
  CASE WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END::text AS lsn`;

/**
 * One message. The position is read before the transaction whose snapshot the read uses, so the snapshot
 * includes it. A standby's timeline is from its control file: after a failover that of the former primary
 * until its next restart point, until which it is not used.
 */
const opening = `BEGIN READ ONLY; SELECT pg_is_in_recovery() AS standby, (pg_control_system()).system_identifier::text AS system,
  greatest((pg_control_checkpoint()).timeline_id, (pg_control_recovery()).min_recovery_end_timeline) AS timeline,
  pg_last_wal_replay_lsn()::text AS lsn; COMMIT;
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT pg_is_in_recovery() AS "isStandby"`;

interface StandbyState {
  standby: boolean;
  system: string;
  timeline: number;
  lsn: string | null;
}

class Unused extends Error {
  readonly outcome: ReplicaOutcome;
  readonly lagMs: number | undefined;

  constructor(outcome: ReplicaOutcome, { lagMs, cause }: { lagMs?: number; cause?: unknown } = {}) {
    super(`The replica is not used: ${outcome}`, { cause });
    this.outcome = outcome;
    this.lagMs = lagMs;
  }
}

export interface ReplicaOptions<P> extends Pick<PoolOptions, 'size' | 'prepare' | 'name'> {
  url: string | (() => string);
  log: DatabaseLog;
  /** Pool of the primary, outside of transactions. */
  primary: Sql;
  lend: TransactionParts<P>['lend'];
}

/**
 * Reads from a streaming standby whose data is known to be recent enough. Connects at its first use, and has
 * no timer.
 */
export class ReplicaReader<P> implements ReplicaReads<P> {
  readonly standby: StandbyUse;
  readonly #servers: StandbyServers;
  readonly #pool: pg.Pool;
  readonly #primary: Sql;
  readonly #lend: TransactionParts<P>['lend'];
  readonly #log: DatabaseLog;
  readonly #freshness = new Freshness();
  readonly #writes = new OwnWrites();
  readonly #listeners = new Set<(read: ObservedRead) => void>();
  #marking: Promise<void> | undefined;
  #failures = 0;
  #asideUntil = 0;
  /** State as last logged. */
  #usable = true;

  /** @throws AddressError */
  constructor({ url, log, primary, lend, ...pool }: ReplicaOptions<P>) {
    this.#servers = new StandbyServers(url, log);
    this.#pool = createPool({
      ...pool,
      servers: this.#servers,
      log,
      statementTimeoutMs: statementMs,
      answerTimeoutMs: statementMs + answerMs,
      connectTimeoutMs: answerMs,
    });
    this.#primary = primary;
    this.#lend = lend;
    this.#log = log;
    this.standby = {
      writing: (tenant) => this.#writes.begin(tenant),
      onRead: (listener) => void this.#listeners.add(listener),
    };
  }

  async read<T>(
    name: ReplicaRead,
    tenants: readonly string[],
    primary: Connected<P>,
    work: (sql: Connected<P>) => Promise<T>,
  ): Promise<T> {
    try {
      if (this.#writes.concern(tenants)) throw new Unused('own_write');
      if (performance.now() < this.#asideUntil) throw new Unused('unreachable');
      await this.#marked();
      const { result, lagMs } = await this.#fromStandby(work);
      this.#noteUse();
      this.#observe({ name, outcome: 'replica', lagMs });
      return result;
    } catch (error) {
      const { outcome, lagMs, cause } =
        error instanceof Unused ? error : new Unused('failed', { cause: error });
      if (outcome !== 'own_write' && (outcome !== 'behind' || (lagMs ?? 0) > maxAgeMs)) {
        this.#noteDisuse(outcome, cause);
      }
      this.#observe({ name, outcome, ...(lagMs !== undefined && { lagMs }) });
    }
    return work(primary);
  }

  /** Discards everything known about the former primary after a failover. */
  termChanged(): void {
    this.#freshness.forget();
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  /** Resolves once a recent end of the primary's log is known. @throws Unused */
  async #marked(): Promise<void> {
    if (performance.now() - this.#freshness.markedAt < markedMs) return;
    this.#marking ??= this.#mark().finally(() => {
      this.#marking = undefined;
    });
    await this.#marking;
  }

  async #mark(): Promise<void> {
    const at = performance.now();
    const question = this.#primary.query<{ system: string; timeline: string; lsn: string }>(markQuestion);
    const { rows } = await inTime(question).catch((cause: unknown) => {
      throw new Unused('unknown', { cause });
    });
    const [row] = rows;
    if (!row?.system || !row.timeline || !row.lsn) throw new Unused('unknown');
    const { system, timeline, lsn } = row;
    this.#freshness.mark(at, { system, timeline: Number.parseInt(timeline, 16), lsn: lsnOf(lsn) });
  }

  async #fromStandby<T>(work: (sql: Connected<P>) => Promise<T>): Promise<{ result: T; lagMs: number }> {
    let lagMs = 0;
    const connect = () => this.#pool.connect().catch((cause: unknown) => this.#away(cause));
    const begin = async (client: pg.PoolClient) => {
      lagMs = await this.#begin(client);
    };
    const result = await reading<P, T>({ connect, lend: this.#lend }, begin, work);
    return { result, lagMs };
  }

  /** @returns the maximum age in ms of the transaction's data @throws Unused */
  async #begin(client: pg.PoolClient): Promise<number> {
    let behind = 0;
    for (const pause of pausesMs) {
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      const position = await this.#open(client, pause > 0 ? `ROLLBACK; ${opening}` : opening);
      const asOf = this.#freshness.asOf(position);
      const now = performance.now();
      behind = asOf === undefined ? this.#freshness.atLeastBehind(now) : now - asOf;
      if (asOf !== undefined && behind <= maxAgeMs) return behind;
    }
    if (behind > maxAgeMs && this.#servers.hosts > 1) await this.#leave(client);
    throw new Unused('behind', { lagMs: behind });
  }

  /**
   * Begins the transaction. @returns the position replayed before it @throws Unused if the server is no
   * replica of the primary
   */
  async #open(client: pg.PoolClient, text: string): Promise<WalPosition> {
    const query = { text, query_timeout: answerMs };
    const results = (await client.query(query).catch((cause: unknown) => this.#away(cause))) as
      | pg.QueryResult
      | pg.QueryResult[];
    const rows = [results].flat().flatMap(({ rows }) => rows as object[]);
    const state = rows.find((row): row is StandbyState => 'lsn' in row);
    const isStandby = rows.some((row) => 'isStandby' in row && row.isStandby === true);
    const position =
      state && state.lsn !== null && state.standby && isStandby
        ? { system: state.system, timeline: state.timeline, lsn: lsnOf(state.lsn) }
        : undefined;
    if (position && this.#freshness.isOfThisHistory(position)) return position;
    await this.#leave(client);
    throw new Unused('unfit');
  }

  /** Stops using this server for a time. */
  async #leave(client: pg.PoolClient): Promise<void> {
    this.#servers.moveOn();
    this.#fail();
    await (client as unknown as pg.Client).end().catch(() => {});
  }

  #away(cause: unknown): never {
    this.#fail();
    const unfit = cause instanceof UnfitServer || (cause as { cause?: unknown }).cause instanceof UnfitServer;
    throw new Unused(unfit ? 'unfit' : 'unreachable', { cause });
  }

  #fail(): void {
    this.#failures += 1;
    if (this.#failures < this.#servers.hosts) return;
    this.#failures = 0;
    this.#asideUntil = performance.now() + asideMs;
  }

  #noteUse(): void {
    this.#failures = 0;
    if (!this.#usable) this.#log.info({ event: 'replica.recovered' }, 'Reading from the replica again');
    this.#usable = true;
  }

  #noteDisuse(outcome: ReplicaOutcome, cause: unknown): void {
    if (!this.#usable) return;
    this.#usable = false;
    this.#log.warn(
      { event: 'replica.unavailable', outcome, err: cause },
      'Replica not used; reading from the primary',
    );
  }

  #observe(read: ObservedRead): void {
    for (const listener of this.#listeners) listener(read);
  }
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${answerMs} ms`)), answerMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
