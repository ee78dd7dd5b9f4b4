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
import { scimRates } from './access/http/index.ts';
import { createApp } from './app.ts';
import { retentionSteps } from './composition/retention.ts';
import { RemoteOwners, vouchingWithdrawals } from './connectors/data/index.ts';
import { followOwnershipEnds, startVouchingWithdrawals } from './connectors/jobs/index.ts';
import { openDatabase, schemaName } from './database/data/index.ts';
import { startHousekeeping } from './database/jobs/index.ts';
import { env } from './env.ts';
import { resourceLinks, tenantSettings } from './events/data/index.ts';
import { consumerName, grantingEvents, projectEvents } from './events/index.ts';
import { liveEvents } from './provisioning-log/data/index.ts';
import { RemoteAdministrators, RemoteCredentials, RemoteDirectory } from './resources/data/index.ts';

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
      handle: projectEvents({ links: resourceLinks, tenants: tenantSettings }),
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
    const users = new RemoteDirectory(directory);
    const owners = new RemoteOwners(auth);
    const app = await createApp({
      kit,
      database,
      verifier: access.verifier,
      revocations: access.revocations,
      directory: users,
      credentials: new RemoteCredentials(auth),
      administrators: new RemoteAdministrators(auth, database.sql),
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
    onStop('ends of ownership', followOwnershipEnds(app.ownershipEnds, kit.log));
    onStop(
      'housekeeping',
      startHousekeeping(
        kit.log,
        retentionSteps({
          sql: database.sql,
          connectors: app.connectors,
          submissions: app.submissions,
          ownerSearch: app.ownerSearch,
          logDays: env.PROVISIONING_LOG_DAYS,
          logEntries: env.PROVISIONING_LOG_ENTRIES,
          connectorLogDays: env.CONNECTOR_LOG_DAYS,
        }),
      ),
    );
    onStop(
      'vouching withdrawals',
      startVouchingWithdrawals(kit.log, {
        sql: database.sql,
        withdrawals: vouchingWithdrawals,
        directory: users,
      }),
    );
    await listen(app.http);
  },
});
