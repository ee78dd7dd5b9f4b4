import { RemoteAccess } from '@ostiary/access';
import { replicaOutcomes, requireSupportedDatabase } from '@ostiary/database';
import { confirmedByDirectory, EventConsumer, LiveRelay } from '@ostiary/events';
import {
  createRedis,
  eventSignatures,
  HttpPeer,
  keyRing,
  latest,
  measurePool,
  measureReplica,
  measureTakeovers,
  msWithoutWake,
  type ProcessContext,
  repeat,
  runProcess,
  streamSignatures,
  WorkPoll,
} from '@ostiary/service';
import { scimRates } from './access/http/rate-limit.ts';
import { type App, type AppOptions, createApp } from './app.ts';
import { retentionSteps } from './composition/retention.ts';
import { RemoteOwners } from './connectors/data/owners.ts';
import { vouchingWithdrawals } from './connectors/data/vouching-withdrawals.ts';
import { followOwnershipEnds } from './connectors/jobs/ownership-ends.ts';
import { startVouchingWithdrawals } from './connectors/jobs/vouching.ts';
import { openDatabase, schemaName } from './database/data/database.ts';
import { migrations, tables } from './database/generated/migrations.ts';
import { startMaintenance } from './database/maintenance.jobs.ts';
import { env } from './env.ts';
import { resourceLinks } from './events/data/links.ts';
import { tenantSettings } from './events/data/tenants.ts';
import { consumerName, grantingEvents, projectEvents } from './events/domain/directory-events.ts';
import { liveEvents } from './provisioning-log/log.data.ts';
import { RemoteAdministrators } from './resources/data/administrators.ts';
import { RemoteCredentials } from './resources/data/credentials.ts';
import { RemoteDirectory } from './resources/data/directory.ts';

type Context = ProcessContext<typeof env>;

void runProcess({
  name: 'provisioning',
  env,
  async start(context) {
    await context.lookAt(() => requireSupportedDatabase(latest(context.env.DATABASE_URL)));
    const peers = connect(context);
    const streams = createStreams(context, peers);
    const app = await createApp(appOptions(context, peers, streams));
    context.onStop('provisioning log', () => app.logWriter.stop());
    context.onStop('keys', () => app.keptKeys.stop());
    context.onStop(
      'reencryption',
      repeat({
        name: 'reencryption',
        everyMs: 30_000,
        jitter: true,
        log: context.kit.log,
        work: async (signal) => void (await app.reencryption.run(signal)),
      }),
    );
    peers.access.start();
    streams.consumer.start();
    await streams.live.start();
    context.onStop('event consumer', () => streams.consumer.stop());
    startJobs(context, app, peers);
    await context.listen(app.http);
  },
});

/** Connects the database and the services that this one calls. */
function connect({ env, kit, onStop }: Context) {
  const database = openDatabase({
    url: () => latest(env.DATABASE_URL),
    replicaUrl: env.DATABASE_REPLICA_URL && (() => latest(env.DATABASE_REPLICA_URL ?? '')),
    poolSize: env.DATABASE_POOL_SIZE,
    prepare: env.DATABASE_PREPARED_STATEMENTS,
    log: kit.log,
  });
  onStop('database', () => database.close());
  measurePool(kit.metrics, () => database.load);
  measureTakeovers(kit.metrics, (listener) => database.onTermChange(listener));
  measureReplica(kit.metrics, database.replica.standby, replicaOutcomes);
  kit.health.check('postgresql', () => database.ready(migrations, tables), {
    impairs: 'Identity sources cannot provision: SCIM returns 503.',
  });
  const access = new RemoteAccess({ kit, env, serviceName: 'provisioning' });
  onStop('access', () => access.stop());
  const peer = (name: 'auth' | 'directory', origin: string): HttpPeer => {
    const token = access.tokenFor(name);
    const made = new HttpPeer({ name, origin, token, neighbours: kit.neighbours });
    onStop(`peer ${name}`, () => made.close());
    return made;
  };
  const directory = peer('directory', env.DIRECTORY_URL);
  const auth = peer('auth', env.AUTH_URL);
  kit.health.check('directory', () => directory.alive(), {
    required: false,
    impairs: 'Identity sources cannot provision: SCIM returns 503.',
  });
  return { database, access, directory, auth, users: new RemoteDirectory(directory) };
}

type Peers = ReturnType<typeof connect>;

/**
 * Creates the users of Redis: events of the directory, counters of requests, and notifications of the graph's
 * subscribers.
 */
function createStreams({ env, kit, onStop }: Context, { database, directory }: Peers) {
  const inRedis = { database, redisUrl: env.REDIS_URL, prefix: env.REDIS_PREFIX, log: kit.log };
  const consumer = new EventConsumer({
    ...inRedis,
    schema: schemaName,
    consumer: consumerName,
    signatures: eventSignatures(env),
    metrics: kit.metrics,
    confirm: confirmedByDirectory(directory, grantingEvents),
    handle: projectEvents({ links: resourceLinks, tenants: tenantSettings }),
  });
  const redis = createRedis(env.REDIS_URL, { name: 'provisioning-rates', log: kit.log });
  onStop('redis', async () => redis.disconnect());
  const live = new LiveRelay({
    ...inRedis,
    channel: liveEvents.channel,
    take: liveEvents.take,
    signatures: streamSignatures(env),
    pollMs: msWithoutWake,
  });
  onStop('live relay', () => live.stop());
  const work = new WorkPoll({
    name: 'events for subscribers',
    everyMs: 800,
    look: () => liveEvents.wait(database.sql),
    log: kit.log,
  });
  work.on('liveEvents', 800, live);
  onStop('looking for events for subscribers', work.start());
  return { consumer, live, rates: scimRates({ redis, prefix: env.REDIS_PREFIX, log: kit.log }) };
}

function appOptions(
  { env, kit }: Context,
  { database, access, auth, users }: Peers,
  { consumer, live, rates }: ReturnType<typeof createStreams>,
): AppOptions {
  return {
    kit,
    database,
    verifier: access.verifier,
    revocations: access.revocations,
    directory: users,
    credentials: new RemoteCredentials(auth),
    administrators: new RemoteAdministrators(auth, database.sql),
    owners: new RemoteOwners(auth),
    publicOrigin: env.PUBLIC_ORIGIN,
    policyDefaults: env.TENANT_POLICY_DEFAULTS,
    tokenKeys: keyRing(env.TOKEN_KEY, env.TOKEN_KEY_SECOND),
    bodyLimit: env.SCIM_BODY_LIMIT,
    bulkOperations: env.SCIM_BULK_OPERATIONS,
    requestsPerMinute: env.SCIM_REQUESTS_PER_MINUTE,
    rates,
    cursorSeconds: env.SCIM_CURSOR_SECONDS,
    introspection: env.GRAPH_INTROSPECTION ?? env.NODE_ENV !== 'production',
    trustedProxies: env.TRUSTED_PROXIES,
    events: consumer,
    onLogWritten: () => live.poke(),
  };
}

function startJobs({ env, kit, onStop }: Context, app: App, { access, database, users }: Peers): void {
  onStop('ends of ownership', followOwnershipEnds(app.ownershipEnds, access.revocations, kit.log));
  const retention = retentionSteps({
    sql: database.sql,
    connectors: app.connectors,
    submissions: app.submissions,
    ownerSearch: app.ownerSearch,
    logDays: env.PROVISIONING_LOG_DAYS,
    logEntries: env.PROVISIONING_LOG_ENTRIES,
    connectorLogDays: env.CONNECTOR_LOG_DAYS,
  });
  onStop('maintenance', startMaintenance(kit.log, retention));
  const withdrawing = { sql: database.sql, withdrawals: vouchingWithdrawals, directory: users };
  onStop('vouching withdrawals', startVouchingWithdrawals(kit.log, withdrawing));
}
