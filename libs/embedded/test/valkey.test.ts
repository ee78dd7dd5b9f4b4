import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, recordSkip } from '@ostiary/service/testing';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { identify } from '../src/liveness.ts';
import { startValkey, type ValkeyOptions, type ValkeyServerHandle } from '../src/valkey.ts';
import { temporaryFolder } from './fixture/installation.ts';

let folder: string;
let server: ValkeyServerHandle | undefined;
let redis: Redis | undefined;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => {
  redis?.disconnect();
  await server?.stop();
  server = undefined;
  await rm(folder, { recursive: true, force: true });
});

async function start(options: Partial<ValkeyOptions>): Promise<{ server: ValkeyServerHandle; redis: Redis }> {
  server = await startValkey({ log: () => undefined, ...options });
  redis?.disconnect();
  redis = new Redis(server.url);
  return { server, redis };
}

describe('Valkey in WebAssembly', () => {
  test('Valkey in WebAssembly answers sequential commands.', async () => {
    const { redis } = await start({ engine: 'wasm' });
    for (let i = 0; i < 1_000; i++) await redis.set('key', i);
    expect(await redis.get('key')).toBe('999');
  });

  test('Valkey never evicts, runs Lua, consumes once with GETDEL, expires keys and wakes blocked readers.', async () => {
    const { redis, server } = await start({ engine: 'wasm' });
    expect(await redis.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
    expect(await redis.eval('return redis.call("INCRBY", KEYS[1], ARGV[1])', 1, 'counter', 7)).toBe(7);
    await redis.set('code', 'once');
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => redis.getdel('code')));
    expect(outcomes.filter((value) => value === 'once')).toHaveLength(1);
    await redis.set('short', 1, 'PX', 50);
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(await redis.get('short')).toBeNull();

    const reader = new Redis(server.url);
    for (let time = 0; time < 5; time++) {
      const waiting = reader.xread('BLOCK', 30_000, 'STREAMS', 'stream', '$');
      while (!/\bblocked_clients:1\b/.test(await redis.info('clients'))) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await redis.xadd('stream', '*', 'field', 'value');
      expect((await waiting)?.[0]?.[0]).toBe('stream');
    }
    reader.disconnect();
  });

  test('Valkey in WebAssembly processes a thousand BullMQ jobs.', async () => {
    const { server } = await start({ engine: 'wasm' });
    expect(await thousandJobs(server.port)).toBe(1_000);
  });
});

describe('startValkey', () => {
  test('The server stops its process on request and reports the reason when it crashes.', async () => {
    let reason: string | undefined;
    const first = (await start({ engine: 'wasm', onExit: (why) => (reason = why) })).server;
    redis?.disconnect();
    await first.stop();
    expect(identify(first.pids[0] ?? 0)).toBeUndefined();
    expect(reason).toBeUndefined();
    const second = (await start({ engine: 'wasm', onExit: (why) => (reason = why) })).server;
    redis?.disconnect();
    process.kill(second.pids[0] ?? 0, 'SIGKILL');
    expect(await eventually(() => reason)).toBe('SIGKILL');
  });

  test('The start fails with an error that names the port that is taken.', async () => {
    const { server } = await start({ engine: 'wasm' });
    await expect(
      startValkey({ engine: 'wasm', port: server.port, log: () => undefined, logFile: join(folder, 'log') }),
    ).rejects.toThrow(`Port ${server.port}, chosen for Valkey, is taken`);
  });
});

const native = await startValkey({ engine: 'native', log: () => undefined }).then(
  async (found) => {
    await found.stop();
    return true;
  },
  () => false,
);

if (!native) recordSkip('no redis-server or valkey-server is on the PATH (apt: redis-server)');
(native ? describe : describe.skip)('a server on the PATH', () => {
  test('The server keeps its data across a restart and a kill.', async () => {
    const dataDirectory = join(folder, 'with a space', 'valkey');
    await mkdir(dataDirectory, { recursive: true });
    const first = await start({ engine: 'native', dataDirectory });
    await first.redis.set('kept', 'yes');
    first.redis.disconnect();
    await first.server.stop();
    const second = await start({ engine: 'native', dataDirectory });
    expect(await second.redis.get('kept')).toBe('yes');
    expect(await second.redis.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
    expect(await second.redis.config('GET', 'bind')).toEqual(['bind', '127.0.0.1']);
  });
});

/** Returns the milliseconds until a thousand added jobs are done. */
async function thousandJobs(port: number): Promise<number> {
  const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
  const queue = new Queue('jobs', { connection });
  await queue.addBulk(Array.from({ length: 1_000 }, (_, i) => ({ name: 'job', data: { i } })));
  let done = 0;
  const seen = new Set<number>();
  await new Promise<void>((resolve) => {
    const worker = new Worker<{ i: number }>('jobs', async (job) => void seen.add(job.data.i), {
      connection,
      concurrency: 20,
    });
    worker.on('completed', () => {
      if (++done === 1_000) void worker.close().then(resolve);
    });
  });
  await queue.close();
  return seen.size;
}
