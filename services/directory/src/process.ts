import { RemoteAccess } from '@ostiary/access';
import { createDatabase, type Database, requireSupportedDatabase, type Sql } from '@ostiary/database';
import { LiveRelay, lookIntoOutbox, type OutboxWork, outboxChannel, takeFromOutbox } from '@ostiary/events';
import {
  eventSignatures,
  HttpPeer,
  type Logger,
  latest,
  msWithoutWake,
  type ProcessContext,
  type ProcessOptions,
  streamSignatures,
  WorkPoll,
} from '@ostiary/service';
import { createApp } from './app.ts';
import { PrismaClient } from './database/generated/client.ts';
import { env as specification } from './env.ts';
import { AccessEnds } from './events/domain/access-ends.ts';
import { type EventConsumerName, eventConsumers } from './events/domain/deliveries.ts';
import type { Closing } from './events/http/answer-when-closed.ts';
import { lookEveryMs, Relay } from './events/relay.jobs.ts';
import { owningServiceAt } from './nodes/graph/owning-services.ts';

type Context = ProcessContext<typeof specification>;

interface RelayContext extends Pick<Context, 'env' | 'kit' | 'onStop'> {
  database: Database<PrismaClient>;
  access: RemoteAccess;
  origins: Record<EventConsumerName, string>;
}

/** Starts the relays of the outbox. @returns the condition for which responses wait */
async function startRelays(o: RelayContext): Promise<Closing> {
  const { env, kit, onStop, database, access, origins } = o;
  const redis = { redisUrl: env.REDIS_URL, prefix: env.REDIS_PREFIX };
  const ends = new AccessEnds();
  const relay = new Relay({
    kit,
    database,
    ...redis,
    signatures: eventSignatures(env),
    origins,
    tokenFor: (service) => access.tokenFor(service),
    onUrgent: () => ends.note(),
  });
  onStop('relay', () => relay.stop());
  await relay.start();
  const live = new LiveRelay({
    database,
    channel: outboxChannel('directory'),
    take: takeFromOutbox('directory'),
    ...redis,
    signatures: streamSignatures(env),
    log: kit.log,
    pollMs: msWithoutWake,
  });
  onStop('live relay', () => live.stop());
  await live.start();
  onStop('looking into the outbox', lookingIntoOutbox(database.sql, relay, live, kit.log).start());
  return { ends, settled: () => relay.settled() };
}

/** The directory as a process: its environment and its parts. */
export const directoryProcess: ProcessOptions<typeof specification> = {
  name: 'directory',
  env: specification,
  async start({ env, kit, lookAt, onStop, listen }) {
    await lookAt(() => requireSupportedDatabase(latest(env.DATABASE_URL)));
    const database = createDatabase({
      url: () => latest(env.DATABASE_URL),
      replicaUrl: env.DATABASE_REPLICA_URL && (() => latest(env.DATABASE_REPLICA_URL ?? '')),
      schema: 'directory',
      poolSize: env.DATABASE_POOL_SIZE,
      prepare: env.DATABASE_PREPARED_STATEMENTS,
      log: kit.log,
      prisma: (adapter) => new PrismaClient({ adapter }),
    });
    onStop('database', () => database.close());

    const access = new RemoteAccess({ kit, serviceName: 'directory', env });
    onStop('access', () => access.stop());
    access.start();

    const origins = { auth: env.AUTH_URL, provisioning: env.PROVISIONING_URL };
    const closing = await startRelays({ env, kit, onStop, database, access, origins });

    await listen(
      await createApp({
        kit,
        database,
        verifier: access.verifier,
        owningServices: eventConsumers.map((name) => {
          const peer = new HttpPeer({
            name,
            origin: origins[name],
            connections: 4,
            token: access.tokenFor(name),
            neighbours: kit.neighbours,
          });
          onStop(`peer ${name}`, () => peer.close());
          return owningServiceAt(name, peer);
        }),
        publicOrigin: env.PUBLIC_ORIGIN,
        introspection: env.GRAPH_INTROSPECTION ?? env.NODE_ENV !== 'production',
        trustedProxies: env.TRUSTED_PROXIES,
        searchLimit: env.SEARCH_LIMIT,
        poolSize: env.DATABASE_POOL_SIZE,
        policyDefaults: env.TENANT_POLICY_DEFAULTS,
        closing,
      }),
    );
  },
};

/** Notifies the relays when the outbox has events. */
function lookingIntoOutbox(sql: Sql, relay: Relay, live: LiveRelay, log: Logger): WorkPoll<OutboxWork> {
  const look = () => lookIntoOutbox(sql, 'directory');
  const work = new WorkPoll({ name: 'looking into the outbox', everyMs: lookEveryMs, look, log });
  relay.wokenBy(work);
  work.on('toSubscribers', lookEveryMs, live);
  return work;
}
