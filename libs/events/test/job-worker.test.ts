import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createRedis, redisReady } from '@ostiary/service';
import { Queue } from 'bullmq';
import { JobWorker } from '../src/job-worker.ts';
import { redisUrl, silent } from './fixture.ts';

test('A worker that is idle for longer than the silence timeout of a connection keeps its connections.', async () => {
  const prefix = `{test-${process.pid}-${Date.now()}}`;
  const asking = createRedis(redisUrl, { name: 'test', log: silent });
  const connection = createRedis(redisUrl, { name: 'test', blocking: true, log: silent });
  await redisReady(asking);
  const queue = new Queue('later', { connection: asking, prefix, skipVersionCheck: true });
  await queue.add('later', {}, { delay: 8_000 });
  const worked = Promise.withResolvers<void>();
  const worker = new JobWorker('later', async () => worked.resolve(), {
    connection,
    prefix,
    skipVersionCheck: true,
  });
  let broken = 0;
  worker.on('error', () => (broken += 1));
  worker.on('ioredis:close', () => (broken += 1));
  const waiting = async () =>
    String(await asking.client('LIST'))
      .split('\n')
      .filter((line) => /cmd=bzpopmin/.test(line))
      .map((line) => /^id=\d+/.exec(line)?.[0]);
  try {
    await worker.waitUntilReady();
    await sleep(500);
    const before = await waiting();
    await worked.promise;
    expect(before.length).toBeGreaterThan(0);
    expect(await waiting()).toEqual(expect.arrayContaining(before));
    expect(broken).toBe(0);
  } finally {
    await worker.close(true);
    await queue.obliterate({ force: true });
    await queue.close();
    for (const redis of [asking, connection]) redis.disconnect();
  }
});
