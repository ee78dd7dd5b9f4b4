import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createKit,
  createRedis,
  Health,
  isRefusal,
  NotReady,
  processNames,
  type Redis,
  redisProbe,
  redisRules,
} from '../../src/index.ts';
import { eventually, recordSkip } from '../../src/testing.ts';

const program = ['/usr/bin/redis-server', '/usr/bin/valkey-server'].find(existsSync);
const describeWithRedis = program === undefined ? describe.skip : describe;
if (program === undefined) recordSkip('redis-server is missing (apt: redis-server)');

const { log } = createKit({ name: 'test', logLevel: 'silent' });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

interface Server {
  url: string;
  port: number;
  admin: Redis;
  stop(): Promise<void>;
}

const servers: Server[] = [];
const clients: Redis[] = [];

async function startServer(): Promise<Server> {
  for (;;) {
    const server = await startServerAt(await freePort());
    if (server !== undefined) return server;
  }
}

/** Returns undefined when another process has taken the port in the meantime. */
async function startServerAt(port: number): Promise<Server | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'ostiary-redis-'));
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const child = spawn(program ?? '', settings, { stdio: 'ignore' });
  const url = `redis://127.0.0.1:${port}`;
  const admin = connect(url);
  const server: Server = {
    url,
    port,
    admin,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
  servers.push(server);
  const answers = despiteErrors(async () => (await admin.ping()) === 'PONG').then(() => true);
  const ended = once(child, 'exit').then(() => false);
  return (await Promise.race([answers, ended])) ? server : undefined;
}

function connect(url: string): Redis {
  const redis = createRedis(url, { name: 'test', log });
  clients.push(redis);
  return redis;
}

/** Like `eventually`, but an error counts as an answer that does not satisfy. */
const despiteErrors = (condition: () => Promise<boolean>): Promise<unknown> =>
  eventually(
    () => condition().catch((error: unknown) => String(error)),
    (answer) => answer === true,
  );

/** Returns `ready`, or the reason, for a process with this client. */
const readiness = (probe: () => Promise<void>): Promise<string> =>
  probe().then(
    () => 'ready',
    (error: unknown) => (error instanceof NotReady ? error.reason : String(error)),
  );

afterEach(async () => {
  for (const client of clients.splice(0)) client.disconnect();
  for (const server of servers.splice(0)) await server.stop();
});

describeWithRedis('a real Redis', () => {
  let server: Server;
  let probe: () => Promise<void>;

  beforeEach(async () => {
    server = await startServer();
    probe = redisProbe(connect(server.url), 'ostiary', 'gateway');
    await despiteErrors(async () => (await readiness(probe)) === 'ready');
  });

  test('A check leaves no keys behind.', async () => {
    expect(await server.admin.dbsize()).toBe(0);
  });

  test('A server that has reached maxmemory without eviction is out of memory, though it answers reads.', async () => {
    await server.admin.set('full', 'x'.repeat(100_000));
    await server.admin.config('SET', 'maxmemory-policy', 'noeviction', 'maxmemory', '1');
    expect(await server.admin.ping()).toBe('PONG');
    expect(await readiness(probe)).toBe('out_of_memory');
    await server.admin.config('SET', 'maxmemory', '0');
    expect(await readiness(probe)).toBe('ready');
  });

  test('A replica is read only, and ready after its promotion.', async () => {
    const primary = await startServer();
    await server.admin.call('REPLICAOF', '127.0.0.1', String(primary.port));
    for (let each = 0; each < 5; each += 1) expect(await readiness(probe)).toBe('read_only');
    await server.admin.call('REPLICAOF', 'NO', 'ONE');
    await despiteErrors(async () => (await readiness(probe)) === 'ready');
  });

  test('A server whose last save failed rejects writes and reports that.', async () => {
    await server.admin.config('SET', 'save', '3600 1', 'stop-writes-on-bgsave-error', 'yes');
    // A folder at the path of the dump makes saving fail.
    const [, folder = ''] = (await server.admin.config('GET', 'dir')) as string[];
    execFileSync('mkdir', [join(folder, 'dump.rdb')]);
    await server.admin.set('something', '1');
    await server.admin.bgsave();
    await despiteErrors(async () => (await readiness(probe)) === 'cannot_save');
  });

  test('Too few replicas, and missing rights of a process, are distinguished.', async () => {
    await server.admin.config('SET', 'min-replicas-to-write', '1');
    expect(await readiness(probe)).toBe('too_few_replicas');
    await server.admin.config('SET', 'min-replicas-to-write', '0');
    await server.admin.call('ACL', 'SETUSER', 'own', 'on', '>p', ...redisRules('gateway', 'ostiary'));
    const own = redisProbe(connect(server.url.replace('//', '//own:p@')), 'ostiary', 'gateway');
    await despiteErrors(async () => (await readiness(own)) === 'ready');
    await server.admin.call('ACL', 'SETUSER', 'own', '-eval');
    expect(await readiness(own)).toBe('rights_missing');
    await server.admin.call('ACL', 'DELUSER', 'own');
    await despiteErrors(async () => (await readiness(own)) === 'credential_rejected');
  });

  test.each(processNames)(
    'A user of %s that lacks the rights on one family of its keys is not ready, and leaves nothing behind.',
    async (process) => {
      const rules = redisRules(process, 'ostiary');
      await server.admin.call('ACL', 'SETUSER', process, 'on', '>p', ...rules);
      const own = redisProbe(connect(server.url.replace('//', `//${process}:p@`)), 'ostiary', process);
      await despiteErrors(async () => (await readiness(own)) === 'ready');
      const patterns = rules.filter((rule) => /^(~|%R~)/.test(rule));
      expect(patterns.length).toBeGreaterThan(2);
      for (const lacking of patterns) {
        const others = rules.filter((rule) => rule !== lacking);
        await server.admin.call('ACL', 'SETUSER', process, 'resetkeys', ...others);
        // A pattern may be covered by another.
        const covering = others.some(
          (rule) => rule.endsWith('*') && lacking.replace('%R', '').startsWith(rule.slice(0, -1)),
        );
        expect([lacking, await readiness(own)]).toEqual([lacking, covering ? 'ready' : 'rights_missing']);
      }
      await server.admin.call('ACL', 'SETUSER', process, ...rules);
      expect([await readiness(own), await server.admin.dbsize()]).toEqual(['ready', 0]);
    },
  );

  test('A wrong password, and a missing one, are rejected credentials; an unavailable server is unreachable.', async () => {
    await server.admin.config('SET', 'requirepass', 'secret');
    const wrong = redisProbe(connect(server.url.replace('//', '//:other@')), 'ostiary', 'gateway');
    const none = redisProbe(connect(server.url), 'ostiary', 'gateway');
    await despiteErrors(async () => (await readiness(wrong)) === 'credential_rejected');
    await despiteErrors(async () => (await readiness(none)) === 'credential_rejected');
    await server.stop();
    await despiteErrors(async () => (await readiness(probe)) === 'unreachable');
  });

  test('A process may stay in rotation while Redis is unavailable but not while it rejects writes; both are reported.', async () => {
    const health = new Health();
    health.check('redis', probe, { required: isRefusal, impairs: 'Nobody can sign in.' });
    await server.admin.set('full', 'x'.repeat(100_000));
    await server.admin.config('SET', 'maxmemory', '1');
    expect(await health.state()).toEqual({
      status: 'unavailable',
      draining: false,
      dependencies: {
        redis: {
          status: 'down',
          required: true,
          reason: 'out_of_memory',
          message: 'It is out of memory and rejects writes.',
          impairs: 'Nobody can sign in.',
        },
      },
    });
    await server.stop();
    await despiteErrors(async () => (await health.state()).status === 'degraded');
    expect((await health.state()).dependencies.redis).toMatchObject({
      required: false,
      reason: 'unreachable',
    });
  });
});
