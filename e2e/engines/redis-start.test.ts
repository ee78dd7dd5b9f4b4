import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventQueue, queuePrefix } from '@ostiary/events';
import {
  createLog,
  createRedis,
  keySlot,
  type ProcessName,
  parseEnv,
  probeRedis,
  type Redis,
  redisEnv,
  redisReady,
  redisRefusal,
} from '@ostiary/service';
import { eventually, recordSkip } from '@ostiary/service/testing';
import { Queue, Worker } from 'bullmq';
import { refusalOfWhatComes, refusalToBegin } from '../support/engines/begins.ts';
import { RedisCluster } from '../support/engines/redis-cluster.ts';
import {
  addressesFor,
  freeRedisPort,
  RedisProcess,
  redisServerPath,
  users,
} from '../support/engines/redis-process.ts';
import { RedisSentinels, sentinelPassword } from '../support/engines/redis-sentinel.ts';

const log = createLog('test', 'silent');

if (!redisServerPath) recordSkip('redis-server is missing (apt: redis-server)');
const describeWithRedis = redisServerPath ? describe : describe.skip;

describeWithRedis('The server at REDIS_URL', () => {
  let folder: string;
  let sentinels: RedisSentinels;
  let cluster: RedisCluster;
  let single: RedisProcess;
  /** Sentinel without users of its own. */
  let open: RedisProcess;
  const opened: Redis[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ostiary-engines-'));
    await writeFile(join(folder, 'users.acl'), `${users().join('\n')}\n`);
    single = new RedisProcess(await freeRedisPort(), folder, ['--aclfile', 'users.acl', '--save', '']);
    await mkdir(join(folder, 'open'));
    await writeFile(join(folder, 'open', 'sentinel.conf'), '');
    open = new RedisProcess(await freeRedisPort(), join(folder, 'open'), ['sentinel.conf', '--sentinel'], {
      password: '',
    });
    [sentinels, cluster] = await Promise.all([
      RedisSentinels.start(),
      RedisCluster.start(),
      single.start(),
      open.start(),
    ]);
  });
  afterAll(async () => {
    for (const redis of opened) redis.disconnect();
    await Promise.all([sentinels?.stop(), cluster?.stop(), single?.stop(), open?.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  const as = (scheme: string, address: string) => addressesFor(scheme, address).REDIS_URL_GATEWAY ?? '';

  async function connected(url: string): Promise<Redis> {
    const redis = createRedis(url, { name: 'test', log });
    opened.push(redis);
    await redisReady(redis);
    return redis;
  }

  test('Each supported Redis topology is accepted, and so is an unreachable server.', async () => {
    const away = await freeRedisPort();
    for (const url of [
      as('redis', single.host),
      as('redis+sentinel', sentinels.address),
      as('redis+cluster', cluster.address),
      as('redis', `127.0.0.1:${away}`),
      as('redis+sentinel', `127.0.0.1:${away}/tests`),
    ]) {
      expect([url.replace(/\/\/.*@/, ''), await refusalToBegin(url)]).toEqual([
        url.replace(/\/\/.*@/, ''),
        '',
      ]);
    }
  });

  test.each([
    [
      'a Sentinel, as if it were the server',
      () => as('redis', open.host),
      /points to a Sentinel: use redis\+sentinel:/,
    ],
    [
      'a node of a cluster, as if it were alone',
      () => as('redis', `${cluster.nodes[0]?.host}`),
      /points to a node of a cluster: use redis\+cluster:/,
    ],
    ['a replica', () => as('redis', `${sentinels.servers[1]?.host}`), /points to a replica/],
    [
      'a server, as if it were a cluster',
      () => as('redis+cluster', single.host),
      /not a node of a cluster: use redis:/,
    ],
    [
      'a server, as if it were a Sentinel',
      () => as('redis+sentinel', `${single.host}/tests`),
      /not a Sentinel: use redis:/,
    ],
    [
      'Sentinels that watch another one',
      () => as('redis+sentinel', sentinels.address.replace('/tests', '/other')),
      /a primary that the Sentinels do not monitor/,
    ],
    ['a server without TLS, over TLS', () => as('rediss', single.host), /does not support TLS/],
  ])('A process does not start with %s and prints a remedy.', async (_, url, sentence) => {
    const said = await refusalToBegin(url());
    expect(said).toMatch(sentence);
    expect(said).toContain('REDIS_URL');
    expect(said).not.toContain('process-of-tests');
  });

  test('A process that started before its Redis ends with a remedy when the server differs from REDIS_URL.', async () => {
    const home = join(folder, 'late');
    await mkdir(home);
    const late = new RedisProcess(
      await freeRedisPort(),
      home,
      ['--cluster-enabled', 'yes', '--save', ''],
      // This server has no passwords yet.
      { password: '' },
    );
    try {
      const said = await refusalOfWhatComes(`redis://${late.host}`, () => late.start());
      expect(said).toMatch(/^gateway: REDIS_URL points to a node of a cluster: use redis\+cluster:/m);
    } finally {
      await late.stop();
    }
  });

  test('The probe writes on every primary and leaves no keys.', async () => {
    await probeRedis(await connected(as('redis', single.host)), 'ostiary', 'gateway');
    for (const url of [sentinels.env.REDIS_URL_AUTH, cluster.env.REDIS_URL_AUTH]) {
      await probeRedis(await connected(url ?? ''), 'ostiary', 'auth');
    }
    const owners = await Promise.all([0, 8_000, 16_000].map((slot) => cluster.ownerOf(slot)));
    expect(new Set(owners).size).toBe(3);
    for (const { admin } of owners) {
      expect(await admin.info('commandstats')).toMatch(/cmdstat_set:calls=[1-9]/);
      expect(await admin.dbsize()).toBe(0);
    }
  });

  const refusing: [string, () => Promise<void>, () => Promise<unknown>, RegExp][] = [
    [
      'has no memory left',
      async () => void (await single.admin.config('SET', 'maxmemory', '1')),
      () => single.admin.config('SET', 'maxmemory', '0'),
      /out of memory/,
    ],
    [
      'is made a replica',
      async () => void (await single.admin.replicaof('127.0.0.1', 1)),
      () => single.admin.replicaof('NO', 'ONE'),
      /read-only replica/,
    ],
    [
      'wants more replicas than there are',
      async () => void (await single.admin.config('SET', 'min-replicas-to-write', '1')),
      () => single.admin.config('SET', 'min-replicas-to-write', '0'),
      /too few replicas/,
    ],
    [
      'no longer permits scripts to the process',
      async () => void (await single.admin.call('ACL', 'SETUSER', 'ostiary_gateway', '-eval')),
      () => single.admin.call('ACL', 'SETUSER', 'ostiary_gateway', '+eval'),
      /does not permit/,
    ],
  ];

  test.each(refusing)('The probe reports the reason when Redis %s.', async (_, refuse, allow, reason) => {
    const redis = await connected(as('redis', single.host));
    try {
      await refuse();
      await expect(probeRedis(redis, 'ostiary', 'gateway')).rejects.toThrow(reason);
    } finally {
      await allow();
    }
    // A rejected write makes the client reconnect.
    await recovers(redis);
  });

  test('The probe reports the loss of one primary of a cluster, and its recovery.', async () => {
    const redis = await connected(cluster.env.REDIS_URL_AUTH ?? '');
    const owner = await cluster.ownerOf(16_000);
    await owner.kill();
    await expect(probeRedis(redis, 'ostiary', 'auth')).rejects.toThrow(
      /^Redis (is a cluster with unavailable nodes|is a cluster that is down|does not answer)$/,
    );
    await recovers(redis, 'auth');
    await owner.start();
  });

  test('A rejection by Redis has a reason, and other errors have none.', () => {
    expect(redisRefusal(new Error("ERR unknown command 'eval', with args beginning with: "))).toMatch(
      /Sentinel/,
    );
    expect(redisRefusal(new Error('MOVED 3999 127.0.0.1:6381'))).toMatch(/cluster/);
    expect(
      redisRefusal(new Error("ERR Error running script: @user_script:1: -READONLY You can't write")),
    ).toMatch(/read-only/);
    expect(redisRefusal(new Error('connect ECONNREFUSED 127.0.0.1:1'))).toBeUndefined();
    expect(redisRefusal('READONLY')).toBeUndefined();
  });

  test('The slot of a key is the one that Redis computes.', async () => {
    const admin = single.admin;
    await expect(admin.cluster('KEYSLOT', 'a')).rejects.toThrow(/cluster support disabled/);
    const node = cluster.nodes[1]?.admin;
    for (const name of [
      '',
      'a',
      '{a}b',
      'a{b}{c}',
      '{}a',
      '{a',
      'a}{b',
      '{{a}}',
      'schlüssel:{ünd}',
      '{ostiary}:live',
    ]) {
      expect([name, keySlot(name)]).toEqual([name, await node?.cluster('KEYSLOT', name)]);
    }
  });

  /** Runs a process whose REDIS_URL is read from a file. */
  async function inFile(
    name: string,
    url: string,
  ): Promise<{ url: string; write(url: string): Promise<void> }> {
    const path = join(folder, name);
    const write = (text: string) => writeFile(path, text, { mode: 0o600 });
    await write(url);
    return { url: parseEnv(redisEnv, { REDIS_URL_FILE: path }).REDIS_URL, write };
  }

  const kept = [
    { mode: 'one server', at: () => as('redis', single.host), servers: () => [single], watching: () => [] },
    {
      mode: 'Sentinels',
      at: () => as('redis+sentinel', sentinels.address),
      servers: () => sentinels.servers,
      watching: () => sentinels.sentinels,
    },
    {
      mode: 'a cluster',
      at: () => as('redis+cluster', cluster.address),
      servers: () => cluster.nodes,
      watching: () => [],
    },
  ];

  const adds = (queue: Queue, name: string): Promise<boolean> =>
    queue.add(name, {}).then(
      () => true,
      () => false,
    );

  /** Returns the connections on which a worker waits for a job. */
  async function waiting(servers: readonly RedisProcess[]): Promise<string[]> {
    const lists = await Promise.all(
      servers.map(async ({ port, admin }) =>
        String(await admin.client('LIST').catch(() => ''))
          .split('\n')
          .filter((line) => line.includes('cmd=bzpopmin user=ostiary_directory'))
          .map((line) => `${port} ${/^id=\d+/.exec(line)?.[0]}`),
      ),
    );
    return lists.flat();
  }

  // Last test: the former login no longer works at these servers afterwards.
  test.each(kept)(
    'A login is replaced in its file, with $mode, and every connection follows, including the one on which a worker waits.',
    async ({ mode, at, servers, watching }) => {
      const user = 'ostiary_directory';
      const before = at().replace('ostiary_gateway', user);
      const file = await inFile(mode, before);
      const arrived: string[] = [];
      const own = { connection: createRedis(file.url, { name: 'waits', blocking: true, log }) };
      const adding = createRedis(file.url, { name: 'adds', log });
      opened.push(own.connection, adding);
      const settings = { prefix: queuePrefix('ostiary'), skipVersionCheck: true };
      const worker = new Worker(eventQueue('auth'), async ({ name }) => void arrived.push(name), {
        ...own,
        ...settings,
      });
      worker.on('error', () => undefined);
      await redisReady(adding);
      const queue = new Queue(eventQueue('auth'), { connection: adding, ...settings });
      queue.on('error', () => undefined);
      try {
        await queue.add('before', {});
        await eventually(
          async () => arrived,
          (some) => some.includes('before'),
        );
        const known = await eventually(
          () => waiting(servers()),
          ({ length }) => length > 0,
        );
        const all = [...servers(), ...watching()];
        const login = (server: RedisProcess) => (watching().includes(server) ? 'default' : user);
        for (const one of all) await one.admin.call('ACL', 'SETUSER', login(one), '>the-next-one');
        await file.write(
          before
            .replace('process-of-tests', 'the-next-one')
            .replace(/(sentinel_password=)[^&]*/, '$1the-next-one'),
        );
        for (const one of all) {
          const former = watching().includes(one) ? sentinelPassword : 'process-of-tests';
          await one.admin.call('ACL', 'SETUSER', login(one), `<${former}`);
          if (login(one) === user) await one.admin.call('CLIENT', 'KILL', 'USER', user);
        }
        await eventually(() => adds(queue, 'after'), Boolean);
        await eventually(
          async () => arrived,
          (some) => some.includes('after'),
        );
        await eventually(
          () => waiting(servers()),
          (some) => some.some((one) => !known.includes(one)),
        );
      } finally {
        await worker.close(true);
        await queue.close();
      }
    },
  );

  async function recovers(redis: Redis, process: ProcessName = 'gateway'): Promise<void> {
    const probe = () =>
      probeRedis(redis, 'ostiary', process).then(
        () => 'ready',
        (error: unknown) => error,
      );
    await eventually(probe, (answer) => answer === 'ready');
  }
});
