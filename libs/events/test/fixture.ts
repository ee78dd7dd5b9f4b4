import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createDatabase, type Database, type Transaction } from '@ostiary/database';
import { createTestDatabase, type TestDatabase } from '@ostiary/database/testing';
import { createKit, uuidv7 } from '@ostiary/service';
import { testEventSignatures } from '@ostiary/service/testing';
import {
  type ConsumerOptions,
  createOutbox,
  type DomainEvent,
  EventConsumer,
  type EventType,
  type NewEvent,
  OutboxRelay,
  type RelayOptions,
  type UserSnapshot,
} from '../src/index.ts';

export const schema = 'depot';
export const schemaFile = join(import.meta.dirname, 'prisma', 'schema.prisma');
export const directory = join(import.meta.dirname, 'prisma', 'migrations');
export const silent = createKit({ name: 'test', logLevel: 'silent' }).log;
export const consumer = 'auth';

export const redisUrl = process.env.TEST_REDIS_URL ?? '';

type Started = Awaited<ReturnType<typeof startDatabase>>;

async function startDatabase(): Promise<{
  server: TestDatabase;
  connect: () => Database<undefined>;
  database: Database<undefined>;
}> {
  if (!redisUrl)
    throw new Error('TEST_REDIS_URL is not set: `npm test` at the root starts Redis and sets it.');
  const server = await createTestDatabase({ schema, directory });
  const connect = (): Database<undefined> =>
    createDatabase({ url: server.url, schema, log: silent, prisma: () => undefined });
  const database = connect();
  // Every effect of an event is a row, so two rows of one event show a defect.
  await database.sql.query(
    'CREATE TABLE depot.effects (event_id uuid, subject text, version bigint, at timestamptz DEFAULT clock_timestamp())',
  );
  await database.sql.query(
    'CREATE TABLE depot.subjects (id text PRIMARY KEY, version bigint, active boolean)',
  );
  return { server, connect, database };
}

/** A database with outbox and inbox, and its relays and consumers; close() ends all of them. */
export async function createDepot(options: { redisUrl?: string } = {}): Promise<Depot> {
  return new Depot(await startDatabase(), options.redisUrl ?? redisUrl);
}

export class Depot {
  readonly schema = schema;
  readonly redisUrl: string;
  readonly prefix = `test-${randomBytes(6).toString('hex')}`;
  readonly signatures = testEventSignatures;
  readonly log = silent;
  readonly url: string;
  readonly database: Database<undefined>;
  readonly outbox = createOutbox(schema, [consumer]);
  readonly #started: Started;
  readonly #stops: (() => Promise<unknown>)[] = [];

  constructor(started: Started, redis: string) {
    this.#started = started;
    this.redisUrl = redis;
    this.url = started.server.url;
    this.database = started.database;
    this.#stops.push(() => started.database.close());
  }

  get #shared() {
    const { redisUrl: redis, prefix, signatures, log } = this;
    return { schema, redisUrl: redis, prefix, signatures, log };
  }

  /** `direct`: events may be delivered past the queue. */
  async startRelay({
    direct = false,
    beforeDelivering = () => {},
    ...o
  }: Partial<RelayOptions> & { direct?: boolean; beforeDelivering?: () => void } = {}) {
    const { database } = this;
    const kit = createKit({ name: 'test', logLevel: 'silent' });
    const inbox = new EventConsumer({ ...consumerDefaults, database, metrics: kit.metrics, ...this.#shared });
    const relay = new OutboxRelay({
      database,
      metrics: kit.metrics,
      confirm: async (_, ids) => ({ missing: await inbox.missing(ids) }),
      ...(direct && {
        deliver: async (_: string, events: readonly DomainEvent[]) => {
          beforeDelivering();
          await inbox.accept(events);
        },
      }),
      confirmAfterMs: 300,
      pollMs: 200,
      ...this.#shared,
      ...o,
    });
    await relay.start();
    let stopped = false;
    const stop = async () => {
      if (!stopped) await relay.stop();
      stopped = true;
    };
    this.#stops.unshift(stop);
    return { relay, stop, metrics: kit.metrics };
  }

  startConsumer(o: Partial<ConsumerOptions> = {}) {
    const kit = createKit({ name: 'test', logLevel: 'silent' });
    const database = this.#started.connect();
    this.#stops.unshift(() => database.close());
    const worker = new EventConsumer({
      ...consumerDefaults,
      database,
      metrics: kit.metrics,
      ...this.#shared,
      ...o,
    });
    worker.start();
    let stopped = false;
    const stop = async (deadlineMs = 3000) => {
      if (!stopped) await worker.stop(deadlineMs);
      stopped = true;
    };
    this.#stops.unshift(stop);
    return { worker, stop, metrics: kit.metrics };
  }

  /** Appends `count` events, one per transaction unless `together`. */
  async publish(count: number, o: { together?: boolean; version?: number; subject?: string } = {}) {
    const { database, outbox } = this;
    const events = Array.from({ length: count }, () => userEvent('user.updated', o));
    if (o.together) return database.transaction((tx) => outbox.append(tx, events));
    const ids = await Promise.all(
      events.map((event) => database.transaction((tx) => outbox.append(tx, [event]))),
    );
    return ids.flat();
  }

  async effects(): Promise<{ event_id: string; n: number }[]> {
    const { rows } = await this.database.sql.query<{ event_id: string; n: number }>(
      'SELECT event_id, count(*) AS n FROM depot.effects GROUP BY event_id ORDER BY event_id',
    );
    return rows;
  }

  /** Returns the open deliveries; there are none once every consumer has confirmed. */
  async deliveries(): Promise<{ event_id: string; state: string; generation: number }[]> {
    const { rows } = await this.database.sql.query<{ event_id: string; state: string; generation: number }>(
      'SELECT event_id, state, generation FROM depot.outbox_deliveries ORDER BY event_id',
    );
    return rows;
  }

  async close() {
    for (const stop of this.#stops) await stop();
    await this.#started.server.drop();
  }
}

/** Handler of most tests: one row per effect. */
export const consumerDefaults: Pick<ConsumerOptions, 'consumer' | 'handle'> = {
  consumer,
  handle: each(async (event, tx) => {
    await tx.query('INSERT INTO depot.effects (event_id, subject, version) VALUES ($1, $2, $3)', [
      event.id,
      event.subject,
      event.version,
    ]);
  }),
};

/** Returns a handler that processes the events of a batch one by one. */
export function each(
  handle: (event: DomainEvent, tx: Transaction) => Promise<void>,
): ConsumerOptions['handle'] {
  return async (events, tx) => {
    for (const event of events) await handle(event, tx);
  };
}

export function userEvent(
  type: Extract<EventType, `user.${string}`>,
  o: { version?: number; subject?: string; active?: boolean; ticket?: string } = {},
): NewEvent {
  const id = o.subject ?? uuidv7();
  const payload: UserSnapshot = {
    id,
    userName: 'alice',
    active: o.active ?? true,
    emails: [],
    externalIds: {},
    ...(o.ticket !== undefined && { credentialTicket: o.ticket }),
    changedAt: new Date().toISOString(),
  };
  return {
    tenant: 'demo',
    type,
    subject: id,
    version: o.version ?? 1,
    actor: { kind: 'system', id: 'test' },
    payload,
  };
}

/** Returns the value of a metric, summed over its labels. */
export async function metric(
  registry: { getMetricsAsJSON(): Promise<{ name: string; values: { value: number }[] }[]> },
  name: string,
): Promise<number> {
  const all = await registry.getMetricsAsJSON();
  return (all.find((m) => m.name === name)?.values ?? []).reduce((sum, { value }) => sum + value, 0);
}
