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

/** What became of a read that a replica might have answered; all but `replica` are answered by the primary. */
export const replicaOutcomes = [
  /** It was answered by the replica. */
  'replica',
  /** This process has just written to the tenant. */
  'own_write',
  /** The replica lacks something that is older than a second. */
  'behind',
  /** It can't be connected to, or hasn't answered in time; or had not a moment ago. */
  'unreachable',
  /** It is no standby, or one of another database, or of another timeline than the primary's. */
  'unfit',
  /** The primary doesn't say where its log ends. */
  'unknown',
  /** The read itself failed there, or took too long. */
  'failed',
] as const;

export type ReplicaOutcome = (typeof replicaOutcomes)[number];

export interface ObservedRead {
  name: ReplicaRead;
  outcome: ReplicaOutcome;
  /** How old what the replica had was at the most, in ms, if it was asked. */
  lagMs?: number;
}

/** Reads that may be a second old. */
export interface ReplicaReads<P> {
  /**
   * Reads from a replica that has everything which was committed up to a second before; from `primary` otherwise, or where there is none.
   * @param tenants whose rows are read
   * @param work reads, and does nothing else: it may run twice
   */
  read<T>(
    name: ReplicaRead,
    tenants: readonly string[],
    primary: Connected<P>,
    work: (sql: Connected<P>) => Promise<T>,
  ): Promise<T>;
  /** Where there is a replica. */
  readonly standby: StandbyUse | undefined;
}

export interface StandbyUse {
  /** Somebody changes something in a tenant: until a second after that its reads are the primary's. @returns what to call when it has ended */
  writing(tenant: string): () => void;
  onRead(listener: (read: ObservedRead) => void): void;
}

/** Without a replica: everything is the primary's. */
export const primaryOnly = <P>(): ReplicaReads<P> => ({
  read: (_name, _tenants, primary, work) => work(primary),
  standby: undefined,
});

/** How long a connection to the replica, or its word on its state, is waited for, in ms. */
const answerMs = 500;
/** Longer reads are the primary's, in ms. */
const statementMs = 2_000;
/** Within this time the primary isn't asked again where its log ends, in ms. */
const markedMs = 250;
/** How long a replica that didn't answer isn't asked, in ms: only one read in that time waits for it. */
const asideMs = 2_000;
/** What was committed a moment ago needs a moment to get there: when the replica is asked, in ms after the time before. */
const pausesMs = [0, 10, 30];

const markQuestion = `SELECT (pg_control_system()).system_identifier::text AS system,
  left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline,
  CASE WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END::text AS lsn`;

/**
 * One message. The position is read before the transaction begins whose snapshot the read has, so that it has all of it. A standby's timeline
 * is what its control file says: after a fail-over that of the former primary until its next restart point; until then it isn't used.
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
  /** The primary's pool, outside of any transaction. */
  primary: Sql;
  lend: TransactionParts<P>['lend'];
}

/** Reads from a streaming standby, as far as it is known to be young enough. Connects when first used, and has no timer. */
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
  /** As it was logged last. */
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

  /** Another server has become the primary: what was known of the one before says nothing of it. */
  termChanged(): void {
    this.#freshness.forget();
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  /** Where the primary's log ended not long ago is known when this resolves. @throws Unused */
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

  /** @returns how old what the transaction sees is at the most, in ms @throws Unused */
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

  /** Begins the transaction. @returns up to where the standby had replayed before that @throws Unused when it is no replica of the primary */
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

  /** Not this server again, at least not at once. */
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
