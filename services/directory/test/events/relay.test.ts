import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EventConsumer } from '@ostiary/events';
import { eventually, testEventSignatures } from '@ostiary/service/testing';
import { eventConsumers } from '../../src/events/domain/deliveries.ts';
import { Relay } from '../../src/events/relay.jobs.ts';
import { type Harness, startDirectory, tenantClient } from '../support/harness.ts';

let harness: Harness;
let relay: Relay;

beforeAll(async () => {
  harness = await startDirectory();
  relay = new Relay({
    kit: harness.kit,
    database: harness.database,
    redisUrl: harness.redisUrl,
    prefix: harness.prefix,
    signatures: testEventSignatures,
    origins: { auth: harness.issuer.url, provisioning: harness.issuer.url },
    tokenFor: harness.tokenFor,
  });
});
afterAll(async () => {
  await relay.stop();
  await harness.stop();
});

test('Every change reaches the queue of every consumer, and is deleted after the consumer has received it.', async () => {
  // The inbox of a consumer, for this test in the same database.
  await harness.sql('CREATE SCHEMA consumer');
  await harness.sql(
    `CREATE TABLE consumer.inbox_entries (event_id uuid, consumer text, received_at timestamptz DEFAULT now(),
       PRIMARY KEY (event_id, consumer))`,
  );
  const received: string[] = [];
  const consumers = eventConsumers.map(
    (consumer) =>
      new EventConsumer({
        database: harness.database,
        schema: 'consumer',
        consumer,
        redisUrl: harness.redisUrl,
        prefix: harness.prefix,
        signatures: testEventSignatures,
        log: harness.kit.log,
        metrics: harness.kit.metrics,
        concurrency: 1,
        handle: async (events) => {
          received.push(...events.map((event) => `${consumer} ${event.type} ${event.version}`));
        },
      }),
  );
  await relay.start();
  for (const consumer of consumers) await consumer.start();
  try {
    const acme = tenantClient(harness, await harness.tenant());
    const { id } = (await acme.create('Users', { userName: 'leaver' })).body;
    await acme.patch('Users', id, [{ op: 'replace', path: 'active', value: false }]);
    const expected = eventConsumers.flatMap((consumer) => [
      `${consumer} tenant.created 1`,
      `${consumer} user.created 1`,
      `${consumer} user.deactivated 2`,
    ]);
    await eventually(async () => received.length >= expected.length);
    expect([...received].sort()).toEqual(expected.sort());
    await eventually(async () => {
      const [row] = await harness.sql(
        `SELECT count(*)::int AS open FROM directory.outbox_deliveries WHERE consumer <> 'live'`,
      );
      return row.open === 0;
    });
  } finally {
    for (const consumer of consumers) await consumer.stop();
  }
});
