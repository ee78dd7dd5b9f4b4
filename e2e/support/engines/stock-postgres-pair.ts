import { rmSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@ostiary/embedded';
import { eventually } from '@ostiary/service/testing';
import pg from 'pg';
import { StockServers } from '../../start/stock-servers.ts';
import type { Replication } from './postgres-standby.ts';

/** One of the two servers, with a fixed folder and port. */
interface Member {
  name: 'one' | 'two';
  data: string;
  port: number;
}

/** Role of a server; after a promotion, the standby is the former primary. */
type Which = 'primary' | 'standby';

/** A primary and a streaming standby of Debian's PostgreSQL on loopback. */
export class StockPostgresPair {
  readonly #servers = new StockServers('pair');
  #primary: Member;
  #standby: Member;

  private constructor(ports: [number, number]) {
    const member = (name: Member['name'], port: number) => ({
      name,
      port,
      data: join(this.#servers.home, name),
    });
    this.#primary = member('one', ports[0]);
    this.#standby = member('two', ports[1]);
  }

  static async start(): Promise<StockPostgresPair> {
    const pair = new StockPostgresPair([await freePort(), await freePort()]);
    try {
      await pair.#servers.cluster(pair.#primary.data, pair.#primary.port);
      await pair.replicate('synchronous');
      return pair;
    } catch (error) {
      await pair.stop();
      throw error;
    }
  }

  /** URL with both servers, so that the client finds the primary. */
  get url(): string {
    const hosts = [this.#primary, this.#standby].map(({ port }) => `127.0.0.1:${port}`).join(',');
    return `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`;
  }

  /** Creates a new standby of the current primary. */
  async replicate(replication: Replication): Promise<void> {
    const [from, to] = [this.#primary, this.#standby];
    await this.query('primary', 'ALTER SYSTEM RESET synchronous_standby_names');
    await this.query('primary', 'SELECT pg_reload_conf()');
    await this.#servers.shell('pg_ctl -m immediate stop || true', { PGDATA: to.data });
    rmSync(to.data, { recursive: true, force: true });
    await this.#servers.shell(
      `pg_basebackup -d "host=127.0.0.1 port=${from.port} application_name=${to.name}" -D ${to.data} -R -X stream --checkpoint=fast`,
    );
    await this.start('standby');
    if (replication === 'synchronous') {
      await this.query('primary', `ALTER SYSTEM SET synchronous_standby_names = '${to.name}'`);
      await this.query('primary', 'SELECT pg_reload_conf()');
    }
    const state = replication === 'synchronous' ? 'sync' : 'async';
    await eventually(
      () => this.query<{ sync_state: string }>('primary', 'SELECT sync_state FROM pg_stat_replication'),
      ([standby]) => standby?.sync_state === state,
    );
  }

  start(which: Which): Promise<unknown> {
    return this.#control('start', this.#member(which));
  }

  /** Shuts the primary down in an orderly way. */
  shutPrimaryDown(): Promise<unknown> {
    return this.#control('-m fast stop', this.#primary);
  }

  /** Sends a signal to all processes of a server: SIGKILL for a crash, SIGSTOP and SIGCONT for a hang. */
  async signal(which: Which, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const file = join(this.#member(which).data, 'postmaster.pid');
    const [pid = ''] = (await readFile(file, 'utf8')).split('\n');
    await this.#servers.shell(`kill -${signal} ${pid} $(ps -o pid= --ppid ${pid})`);
    // The processes may stay as zombies here, and PostgreSQL would consider the server as running.
    if (signal === 'SIGKILL') await rm(file);
  }

  /** Stops replication: later writes of the primary do not reach the standby. */
  async cutReplication(): Promise<void> {
    const [end] = await this.query<{ lsn: string }>(
      'primary',
      'SELECT pg_current_wal_flush_lsn()::text AS lsn',
    );
    await eventually(
      () =>
        this.query<{ has: boolean }>(
          'standby',
          `SELECT pg_last_wal_receive_lsn() >= '${end?.lsn}'::pg_lsn AS has`,
        ),
      ([row]) => row?.has === true,
    );
    await this.query('standby', "ALTER SYSTEM SET primary_conninfo = ''");
    await this.query('standby', 'SELECT pg_reload_conf()');
    await eventually(
      () => this.query('primary', 'SELECT FROM pg_stat_replication'),
      ({ length }) => length === 0,
    );
  }

  /** Promotes the standby. */
  async promote(): Promise<void> {
    await this.#control('promote', this.#standby);
    [this.#primary, this.#standby] = [this.#standby, this.#primary];
  }

  async query<R extends object>(of: Which, text: string): Promise<R[]> {
    const { port } = this.#member(of);
    const client = new pg.Client({
      connectionString: `postgres://postgres@127.0.0.1:${port}/postgres`,
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text)).rows as R[];
    } finally {
      await client.end();
    }
  }

  stop(): Promise<void> {
    return this.#servers.stop();
  }

  #member(which: Which): Member {
    return which === 'primary' ? this.#primary : this.#standby;
  }

  /** Logs to a file; otherwise the caller would wait for the end of the server's output. */
  #control(action: string, { data, port, name }: Member): Promise<string> {
    return this.#servers.shell(`pg_ctl -w -l ${join(this.#servers.home, name)}.log ${action}`, {
      PGDATA: data,
      PGPORT: `${port}`,
    });
  }
}
