import { remoteAccess } from '@ostiary/access';
import { confirmedByDirectory, EventConsumer, LiveRelay } from '@ostiary/events';
import {
  createRedis,
  eventSignatures,
  HttpPeer,
  keyRing,
  repeat,
  runProcess,
  streamSignatures,
} from '@ostiary/service';
import { scimRates } from './access/http/rate-limit.ts';
import { createApp } from './app.ts';
import { remoteOwners } from './connectors/data/owners.ts';
import { findOwners } from './connectors/jobs/owners-from-log.ts';
import { followOwnershipEnds } from './connectors/jobs/ownership-ends.ts';
import { startVouchingWithdrawals } from './connectors/jobs/vouching.ts';
import { openDatabase, schemaName } from './database/data/database.ts';
import { startHousekeeping } from './database/jobs/housekeeping.ts';
import { env } from './env.ts';
import { consumerName, grantingEvents, projectEvents } from './events/jobs/directory-events.ts';
import { liveEvents } from './provisioning-log/data/log.ts';
import { remoteAdministrators } from './resources/data/administrators.ts';
import { remoteCredentials } from './resources/data/credentials.ts';
import { remoteDirectory } from './resources/data/directory.ts';

await runProcess({
  name: 'provisioning',
  env,
  async start({ env, kit, onStop, listen }) {
    const database = openDatabase({
      url: env.DATABASE_URL,
      poolSize: env.DATABASE_POOL_SIZE,
      prepare: env.DATABASE_PREPARED_STATEMENTS,
      log: kit.log,
    });
    onStop('database', () => database.close());
    kit.health.check('postgresql', () => database.ping());

    const access = remoteAccess({ kit, env, serviceName: 'provisioning' });
    onStop('access', () => access.stop());
    const peer = (name: 'auth' | 'directory', origin: string): HttpPeer => {
      const made = new HttpPeer({ name, origin, token: access.tokenFor(name) });
      onStop(`peer ${name}`, () => made.close());
      return made;
    };
    const directory = peer('directory', env.DIRECTORY_URL);
    const auth = peer('auth', env.AUTH_URL);
    kit.health.check('directory', () => directory.alive(), { required: false });

    const consumer = new EventConsumer({
      database,
      schema: schemaName,
      consumer: consumerName,
      redisUrl: env.REDIS_URL,
      prefix: env.REDIS_PREFIX,
      signatures: eventSignatures(env),
      log: kit.log,
      metrics: kit.metrics,
      confirm: confirmedByDirectory(directory, grantingEvents),
      handle: projectEvents,
    });
    const redis = createRedis(env.REDIS_URL, { name: 'provisioning-rates', log: kit.log });
    onStop('redis', async () => redis.disconnect());
    const live = new LiveRelay({
      database,
      channel: liveEvents.channel,
      take: liveEvents.take,
      redisUrl: env.REDIS_URL,
      prefix: env.REDIS_PREFIX,
      signatures: streamSignatures(env),
      log: kit.log,
    });
    onStop('live relay', () => live.stop());
    const users = remoteDirectory(directory);
    const owners = remoteOwners(auth);
    const app = await createApp({
      kit,
      database,
      verifier: access.verifier,
      revocations: access.revocations,
      directory: users,
      credentials: remoteCredentials(auth),
      administrators: remoteAdministrators(auth, database.sql),
      owners,
      publicOrigin: env.PUBLIC_ORIGIN,
      policyDefaults: env.TENANT_POLICY_DEFAULTS,
      tokenKeys: keyRing(env.TOKEN_KEY, env.TOKEN_KEY_SECOND),
      bodyLimit: env.SCIM_BODY_LIMIT,
      bulkOperations: env.SCIM_BULK_OPERATIONS,
      requestsPerMinute: env.SCIM_REQUESTS_PER_MINUTE,
      rates: scimRates({ redis, prefix: env.REDIS_PREFIX, log: kit.log }),
      cursorSeconds: env.SCIM_CURSOR_SECONDS,
      introspection: env.GRAPH_INTROSPECTION ?? env.NODE_ENV !== 'production',
      trustedProxies: env.TRUSTED_PROXIES,
      events: consumer,
      onLogWritten: () => live.poke(),
    });
    onStop('provisioning log', () => app.logWriter.stop());
    onStop('keys', () => app.keptKeys.stop());
    onStop(
      'reencryption',
      repeat({
        name: 'reencryption',
        everyMs: 30_000,
        jitter: true,
        log: kit.log,
        work: async (signal) => void (await app.reencryption.run(signal)),
      }),
    );

    access.start();
    consumer.start();
    await live.start();
    onStop('event consumer', () => consumer.stop());
    onStop('ends of ownership', followOwnershipEnds({ database, owners, log: kit.log }));
    onStop(
      'housekeeping',
      startHousekeeping(kit.log, {
        sql: database.sql,
        connectors: app.connectors,
        submissions: app.submissions,
        findOwners: () => findOwners({ database, owners }),
        logDays: env.PROVISIONING_LOG_DAYS,
        logEntries: env.PROVISIONING_LOG_ENTRIES,
        connectorLogDays: env.CONNECTOR_LOG_DAYS,
      }),
    );
    onStop(
      'vouching withdrawals',
      startVouchingWithdrawals(kit.log, { sql: database.sql, directory: users }),
    );
    await listen(app.http);
  },
});
