/**
 * A process to be killed by a test: `node victim.ts worker|relay '{"url", "redisUrl", "prefix"}'`.
 *
 * worker: handles an event, writes its effect, stays inside the transaction and prints "working".
 * relay: sends a batch to Redis and kills itself before it marks the batch as enqueued.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, type Transaction } from '@ostiary/database';
import { createKit } from '@ostiary/service';
import { testEventSignatures } from '@ostiary/service/testing';
import { EventConsumer, OutboxRelay } from '../src/index.ts';

const [role, json = '{}'] = process.argv.slice(2);
const { url, redisUrl, prefix } = JSON.parse(json) as { url: string; redisUrl: string; prefix: string };
const { log, metrics } = createKit({ name: 'victim', logLevel: 'silent' });
const schema = 'depot';
const database = createDatabase({ url, schema, log, prisma: () => undefined });

if (role === 'worker') {
  new EventConsumer({
    database,
    schema,
    consumer: 'auth',
    redisUrl,
    prefix,
    signatures: testEventSignatures,
    log,
    metrics,
    concurrency: 1,
    async handle(events, tx) {
      for (const event of events) {
        await tx.query('INSERT INTO depot.effects (event_id) VALUES ($1)', [event.id]);
      }
      process.stdout.write('working\n');
      await sleep(60_000);
    },
  }).start();
} else {
  const deadly = (tx: Transaction): Transaction => ({
    announce: (channel, note) => tx.announce(channel, note),
    afterCommit: (done) => tx.afterCommit(done),
    prisma: () => tx.prisma(),
    query(text, values) {
      if (text.includes("SET state = 'enqueued'")) process.kill(process.pid, 'SIGKILL');
      return tx.query(text, values);
    },
  });
  await new OutboxRelay({
    database: { ...database, transaction: (work) => database.transaction((tx) => work(deadly(tx))) },
    schema,
    redisUrl,
    prefix,
    signatures: testEventSignatures,
    log,
    metrics,
    confirm: async (_, missing) => ({ missing }),
  }).start();
}
