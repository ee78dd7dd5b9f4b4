import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort, startValkey } from '@ostiary/embedded';
import { createRedis, type Redis, redisReady } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { silent } from './fixture.ts';

type Server = Awaited<ReturnType<typeof startValkey>>;

/** A separate Valkey or Redis in memory, which a test may flush, kill and restart on the same port. */
export class OwnRedis {
  readonly url: string;
  readonly #port: number;
  #server: Server | undefined;

  private constructor(port: number) {
    this.#port = port;
    this.url = `redis://127.0.0.1:${port}`;
  }

  static async start(): Promise<OwnRedis> {
    const redis = new OwnRedis(await freePort());
    await redis.start();
    return redis;
  }

  async start(): Promise<void> {
    this.#server ??= await startValkey({ port: this.#port, log: () => {} });
  }

  /** Kills it; its data in memory is lost. */
  async kill(): Promise<void> {
    for (const pid of this.#server?.pids ?? []) process.kill(pid, 'SIGKILL');
    this.#server = undefined;
    await eventually(() => this.#portIsFree());
  }

  async use<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = createRedis(this.url, { name: 'test', log: silent, blocking: true });
    try {
      await redisReady(redis);
      return await work(redis);
    } finally {
      redis.disconnect();
    }
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    this.#server = undefined;
  }

  async #portIsFree(): Promise<boolean> {
    const server = createServer().listen(this.#port, '127.0.0.1');
    try {
      await once(server, 'listening');
      return true;
    } catch {
      return false;
    } finally {
      server.close();
    }
  }
}
