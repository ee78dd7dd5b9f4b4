import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDatabase, type Database } from '@ostiary/database';
import { freePort } from '@ostiary/embedded';
import { createKit, createRedis, redisReady, uuidv7 } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { ownershipStores } from '../../../src/ownership.ts';
import { postgresSecurityLog } from '../../../src/platform/audit/security-log.data.ts';
import { PrismaClient } from '../../../src/platform/database/generated/client.ts';
import { appendFacts } from '../../../src/signals/data/facts.ts';
import { deliveryOutbox } from '../../../src/signals/data/outbox.ts';
import { receiverStore } from '../../../src/signals/data/receivers.ts';
import { Webhooks } from '../../../src/signals/domain/webhooks.ts';
import { MasterKeys } from '../../../src/tenancy/keys/domain/keys.ts';
import { type Backend, createBackend, encryptionKey, environment } from '../../support/running-auth.ts';
import { factAbout } from './engine.ts';
import { TestReceiver } from './receiving.ts';

let backend: Backend;
let database: Database<PrismaClient>;
let receiver: TestReceiver;
const processes: ChildProcess[] = [];

beforeAll(async () => {
  backend = await createBackend();
  receiver = await new TestReceiver().start();
  const { log } = createKit({ name: 'test', logLevel: 'silent' });
  database = createDatabase({
    url: backend.databaseUrl,
    schema: 'auth',
    log,
    prisma: (adapter) => new PrismaClient({ adapter }),
  });
});
afterAll(async () => {
  for (const one of processes) one.kill('SIGKILL');
  receiver.stop();
  await database?.close();
  await backend?.drop();
});

/** Starts an authorization server in a separate process, which can be killed. */
async function startProcess(): Promise<ChildProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../../dist/main.js', import.meta.url))], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      ...environment(backend, port),
      LOG_LEVEL: 'silent',
      METRICS_PORT: String(await freePort()),
      OUTGOING_ALLOW_PRIVATE: 'true',
      DELIVERY_TIMEOUT_SECONDS: '1',
      DELIVERY_RETRY_FIRST_SECONDS: '1',
    },
  });
  processes.push(child);
  const ready = async () =>
    (await fetch(`http://127.0.0.1:${port}/livez`).catch(() => undefined))?.status === 200;
  for (const end = Date.now() + 60_000; !(await ready()); await sleep(50)) {
    if (child.exitCode !== null || Date.now() > end) throw new Error('the process did not start');
  }
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

const webhook = (path: string) =>
  new Webhooks({
    database,
    receivers: receiverStore,
    outbox: deliveryOutbox,
    securityLog: postgresSecurityLog,
    knowers: ownershipStores.knowers,
    receiverKeys: new MasterKeys(Buffer.from(encryptionKey, 'base64url')).of('receiver'),
    outgoing: { allowPrivate: true, allowHttp: true },
    clock: Date.now,
  }).create('demo', { name: path, endpoint: receiver.url(path), factTypes: ['user.updated'] });

const tell = (ids: readonly string[]) =>
  database.transaction((tx) =>
    appendFacts(
      tx,
      'demo',
      ids.map((id, n) => factAbout(id, { n })),
    ),
  );

const idsAt = (path: string): string[] =>
  receiver.at(path).map(({ headers }) => String(headers['webhook-id']));

const undelivered = async (): Promise<number> =>
  (
    await database.sql.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM auth.deliveries WHERE state <> 'delivered'`,
    )
  ).rows[0]?.n ?? -1;

test('When a process is killed during deliveries, another process sends the same messages again and none is lost.', async () => {
  const { webhook: made } = await webhook('/killed');
  const dying = await startProcess();
  // The receiver gets the messages and never responds.
  receiver.answer = () => undefined;
  const people = Array.from({ length: 40 }, () => uuidv7());
  await tell(people);
  await eventually(() => idsAt('/killed').length >= 3);
  await kill(dying);
  const seen = new Set(idsAt('/killed'));
  receiver.answer = (_, response) => void response.writeHead(204).end();
  const before = receiver.received.length;
  await startProcess();
  await eventually(async () => (await undelivered()) === 0);
  const after = new Set(idsAt('/killed').slice(before));
  expect(after.size).toBe(40);
  for (const id of seen) expect(after).toContain(id);
  const { rows } = await database.sql.query<{ id: string }>(
    'SELECT id FROM auth.deliveries WHERE receiver_id = $1',
    [made.id],
  );
  expect(new Set(rows.map(({ id }) => id))).toEqual(after);
});

test('Two processes deliver each message once, in the order of each subject, even if Redis loses all its data.', async () => {
  await webhook('/two');
  await startProcess();
  receiver.answer = (_, response) => void setTimeout(() => response.writeHead(204).end(), Math.random() * 10);
  const people = Array.from({ length: 5 }, () => uuidv7());
  const redis = createRedis(process.env.TEST_REDIS_URL ?? '', {
    name: 'test',
    log: createKit({ name: 'test', logLevel: 'silent' }).log,
  });
  await redisReady(redis);
  for (let round = 0; round < 10; round += 1) {
    await tell(people);
    // Deletes all keys of this system.
    const keys = await redis.keys(`*${backend.prefix}*`);
    if (keys.length > 0) await redis.del(...keys);
  }
  redis.disconnect();
  await eventually(async () => (await undelivered()) === 0);
  const ids = idsAt('/two');
  expect(ids).toHaveLength(50);
  expect(new Set(ids).size).toBe(50);
  const { rows } = await database.sql.query<{ id: string; subject: string }>(
    'SELECT id, subject_key AS subject FROM auth.deliveries ORDER BY position',
  );
  for (const id of people) {
    const own = rows.filter(({ subject }) => subject === `user:${id}`).map((row) => row.id);
    expect(ids.filter((one) => own.includes(one))).toEqual(own.filter((one) => ids.includes(one)));
  }
});
