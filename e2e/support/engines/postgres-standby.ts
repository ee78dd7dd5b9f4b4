import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, type PostgresServerHandle, startPostgres } from '@ostiary/embedded';
import { eventually } from '@ostiary/service/testing';
import pg from 'pg';

const run = promisify(execFile);

/** Whether a commit is acknowledged only after the standby has it. */
export type Replication = 'synchronous' | 'asynchronous';

/** One of the two servers, with a fixed port. */
export class PostgresServer {
  readonly port: number;
  readonly #folder: string;
  #handle: PostgresServerHandle | undefined;

  constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
  }

  get dataDirectory(): string {
    return this.#folder;
  }

  /** URL of the superuser at this server, in any role. */
  get url(): string {
    if (!this.#handle) throw new Error('This server was never started');
    return this.#handle.url;
  }

  async start(): Promise<void> {
    // Durable: without fsync, commits would be asynchronous with any setting.
    this.#handle = await startPostgres({
      dataDirectory: this.#folder,
      port: this.port,
      durable: true,
      log: () => undefined,
    });
  }

  /** Ends it like a power failure. */
  async kill(): Promise<void> {
    for (const pid of this.#handle?.pids ?? []) process.kill(pid, 'SIGKILL');
    const answers = () =>
      this.query('SELECT 1').then(
        () => true,
        () => false,
      );
    await eventually(answers, (does) => !does);
  }

  async stop(): Promise<void> {
    await this.#handle?.stop().catch(() => undefined);
  }

  async query<R extends object>(text: string): Promise<R[]> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text)).rows as R[];
    } finally {
      await client.end();
    }
  }
}

/**
 * A primary and a streaming standby on loopback, from the embedded binaries. These lack pg_basebackup, so the base
 * backup uses the low-level API (pg_backup_start, a copy, pg_backup_stop).
 */
export class PostgresPair {
  #primary: PostgresServer;
  #standby: PostgresServer;
  readonly #home: string;

  private constructor(home: string, ports: [number, number]) {
    this.#home = home;
    this.#primary = new PostgresServer(join(home, 'one'), ports[0]);
    this.#standby = new PostgresServer(join(home, 'two'), ports[1]);
  }

  static async start(replication: Replication): Promise<PostgresPair> {
    const home = await mkdtemp(join(tmpdir(), 'ostiary-pair-'));
    const pair = new PostgresPair(home, [await freePort(), await freePort()]);
    try {
      await pair.primary.start();
      await pair.#replicate(replication);
      return pair;
    } catch (error) {
      await pair.stop();
      throw error;
    }
  }

  /** The server that was the first primary, or the primary after `turnRound`, even when it is down. */
  get primary(): PostgresServer {
    return this.#primary;
  }

  get standby(): PostgresServer {
    return this.#standby;
  }

  /** After a promotion, makes the former primary the standby of the promoted server, from a new base backup. */
  async turnRound(replication: Replication): Promise<void> {
    await this.primary.kill();
    [this.#primary, this.#standby] = [this.standby, this.primary];
    await rm(this.standby.dataDirectory, { recursive: true, force: true });
    await this.#replicate(replication);
  }

  /** URL with both servers, so that the client finds the primary. */
  get url(): string {
    const url = new URL(this.primary.url);
    const hosts = [this.primary, this.standby].map(({ port }) => `127.0.0.1:${port}`).join(',');
    return `postgres://${url.username}:${url.password}@${hosts}/postgres?target_session_attrs=read-write`;
  }

  /** Stops replication after the standby has all commits. Later commits are lost with the primary. */
  async cutReplication(): Promise<void> {
    const [end] = await this.primary.query<{ lsn: string }>('SELECT pg_current_wal_flush_lsn()::text AS lsn');
    const received = () =>
      this.standby.query<{ has: boolean }>(
        `SELECT pg_last_wal_receive_lsn() >= '${end?.lsn}'::pg_lsn AS has`,
      );
    await eventually(received, ([row]) => row?.has === true);
    await this.standby.query("ALTER SYSTEM SET primary_conninfo = ''");
    await this.standby.query('SELECT pg_reload_conf()');
    const senders = () => this.primary.query('SELECT FROM pg_stat_replication');
    await eventually(senders, ({ length }) => length === 0);
  }

  /** Promotes the standby. Resolves when it accepts writes. */
  async promote(): Promise<void> {
    await this.standby.query('SELECT pg_promote(true, 30)');
  }

  async stop(): Promise<void> {
    await Promise.all([this.primary.stop(), this.standby.stop()]);
    await rm(this.#home, { recursive: true, force: true });
  }

  async #replicate(replication: Replication): Promise<void> {
    await this.#copy();
    await this.standby.start();
    if (replication === 'synchronous') {
      await this.primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${nameOf(this.standby)}'`);
      await this.primary.query('SELECT pg_reload_conf()');
    }
    await this.#streams(replication === 'synchronous' ? 'sync' : 'async');
  }

  async #copy(): Promise<void> {
    const { dataDirectory: to } = this.standby;
    const { dataDirectory: from, url } = this.primary;
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query("SELECT pg_backup_start('standby', true)");
      // Preserves the owner, who is not root.
      await run('cp', ['-a', from, to]);
      const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)');
      await writeFile(join(to, 'backup_label'), (rows as { labelfile: string }[])[0]?.labelfile ?? '');
    } finally {
      await client.end();
    }
    for (const gone of ['postmaster.pid', 'postmaster.opts']) await rm(join(to, gone), { force: true });
    await run('cp', ['-a', `${from}.password`, `${to}.password`]);
    await writeFile(join(to, 'standby.signal'), '');
    const { username, password } = new URL(url);
    const place = `host=127.0.0.1 port=${this.primary.port} user=${username} password=${password}`;
    await appendFile(
      join(to, 'postgresql.auto.conf'),
      `primary_conninfo = '${place} application_name=${nameOf(this.standby)}'\nwal_retrieve_retry_interval = '100ms'\n`,
    );
    await run('chown', ['-R', `--reference=${from}`, to]);
  }

  async #streams(state: string): Promise<void> {
    const states = () =>
      this.primary.query<{ sync_state: string }>('SELECT sync_state FROM pg_stat_replication');
    await eventually(states, ([standby]) => standby?.sync_state === state);
  }
}

/** Application name of its replication connection. */
const nameOf = ({ dataDirectory }: PostgresServer): string => basename(dataDirectory);
