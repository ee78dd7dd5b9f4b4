import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { System } from '@ostiary/embedded/system';
import { Client } from 'pg';
import { percentile } from '../measure.ts';
import type { Row } from '../scenario.ts';

/** Minimum cost of a departure: one commit of PostgreSQL and one round trip to Redis, each on its own connection. */
export class Floor {
  readonly #database: Client;
  readonly #redis: Socket;

  private constructor(database: Client, redis: Socket) {
    this.#database = database;
    this.#redis = redis;
  }

  static async open({ databaseUrl, redisUrl }: System): Promise<Floor> {
    const { hostname, port, username, password } = new URL(redisUrl);
    const redis = connect(Number(port), hostname);
    redis.setNoDelay(true);
    const database = new Client({ connectionString: databaseUrl });
    await database.connect();
    await database.query('CREATE TABLE public.bench_floor (id bigserial PRIMARY KEY, at timestamptz)');
    const floor = new Floor(database, redis);
    if (password !== '')
      await floor.#ask(['AUTH', ...(username === '' ? [] : [username]), password].join(' '));
    return floor;
  }

  /** Measures one commit and one round trip in milliseconds. */
  async once(): Promise<number> {
    const begun = performance.now();
    await this.#database.query('INSERT INTO public.bench_floor (at) VALUES (now())');
    await this.#ask('PING');
    return performance.now() - begun;
  }

  /** Measures the floor separately, and names the engines. */
  async row(): Promise<Row> {
    const times: number[] = [];
    for (let round = 0; round < 500; round += 1) times.push(await this.once());
    const share = (part: number): string => percentile(times, part).toFixed(1);
    return {
      name: 'floor: one commit of PostgreSQL and one round trip to Redis, ms',
      figures: { p50: share(0.5), p99: share(0.99), max: share(1), engines: await this.#engines() },
    };
  }

  async close(): Promise<void> {
    await this.#database.query('DROP TABLE IF EXISTS public.bench_floor').catch(() => undefined);
    await this.#database.end();
    this.#redis.destroy();
  }

  async #engines(): Promise<string> {
    const { rows } = await this.#database.query<{ server_version: string }>('SHOW server_version');
    const info = await this.#ask('INFO server');
    const valkey = /^valkey_version:(\S+)/m.exec(info)?.[1];
    const redis = /^redis_version:(\S+)/m.exec(info)?.[1];
    const native = /^os:(?:Linux|Darwin)/m.test(info);
    const name = valkey === undefined ? `Redis ${redis}` : `Valkey ${valkey}`;
    return `PostgreSQL ${rows[0]?.server_version}, ${name}${native ? '' : ' in WebAssembly'}`;
  }

  async #ask(command: string): Promise<string> {
    this.#redis.write(`${command}\r\n`);
    const [answer] = (await once(this.#redis, 'data')) as [Buffer];
    return answer.toString();
  }
}
