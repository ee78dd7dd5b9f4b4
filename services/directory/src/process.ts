import { RemoteAccess } from '@ostiary/access';
import { createDatabase, type Sql } from '@ostiary/database';
import { LiveRelay, lookIntoOutbox, type OutboxWork, outboxChannel, takeFromOutbox } from '@ostiary/events';
import {
  eventSignatures,
  HttpPeer,
  type Logger,
  type ProcessOptions,
  streamSignatures,
  WorkPoll,
} from '@ostiary/service';
import { createApp } from './app.ts';
import { PrismaClient } from './database/data/index.ts';
import { env as specification } from './env.ts';
import { lookEveryMs, Relay, unpokedMs } from './events/jobs/index.ts';
import { remoteKeeper } from './nodes/data/index.ts';

/** The directory as a process: what it reads, and what it starts. */
export const directoryProcess: ProcessOptions<typeof specification> = {
  name: 'directory',
  env: specification,
  async start({ env, kit, onStop, listen }) {
    const database = createDatabase({
      url: env.DATABASE_URL,
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

    const relay = new Relay({
      kit,
      database,
      redisUrl: env.REDIS_URL,
      prefix: env.REDIS_PREFIX,
      signatures: eventSignatures(env),
      origins: { auth: env.AUTH_URL, provisioning: env.PROVISIONING_URL },
      tokenFor: (service) => access.tokenFor(service),
    });
    onStop('relay', () => relay.stop());
    await relay.start();
    const live = new LiveRelay({
      database,
      channel: outboxChannel('directory'),
      take: takeFromOutbox('directory'),
      redisUrl: env.REDIS_URL,
      prefix: env.REDIS_PREFIX,
      signatures: streamSignatures(env),
      log: kit.log,
      pollMs: unpokedMs,
    });
    onStop('live relay', () => live.stop());
    await live.start();
    onStop('looking into the outbox', lookingIntoOutbox(database.sql, relay, live, kit.log).start());

    const keeper = (name: 'auth' | 'provisioning', origin: string) => {
      const peer = new HttpPeer({ name, origin, connections: 4, token: access.tokenFor(name) });
      onStop(`peer ${name}`, () => peer.close());
      return remoteKeeper(name, peer);
    };
    await listen(
      await createApp({
        kit,
        database,
        verifier: access.verifier,
        keepers: [keeper('auth', env.AUTH_URL), keeper('provisioning', env.PROVISIONING_URL)],
        publicOrigin: env.PUBLIC_ORIGIN,
        introspection: env.GRAPH_INTROSPECTION ?? env.NODE_ENV !== 'production',
        trustedProxies: env.TRUSTED_PROXIES,
        searchLimit: env.SEARCH_LIMIT,
        poolSize: env.DATABASE_POOL_SIZE,
        policyDefaults: env.TENANT_POLICY_DEFAULTS,
      }),
    );
  },
};

/** Pokes those who move events out of the outbox when there are some. */
function lookingIntoOutbox(sql: Sql, relay: Relay, live: LiveRelay, log: Logger): WorkPoll<OutboxWork> {
  const look = () => lookIntoOutbox(sql, 'directory');
  const work = new WorkPoll({ name: 'looking into the outbox', everyMs: lookEveryMs, look, log });
  relay.pokedBy(work);
  work.on('toSubscribers', lookEveryMs, live);
  return work;
}
