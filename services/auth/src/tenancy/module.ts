import {
  conferring,
  ElapsedTime,
  type LiveApiToken,
  LocalTokenVerifier,
  measureRevocations,
  platformTenant,
  RevocationFollower,
  RevocationList,
  type TokenVerifier,
} from '@ostiary/access';
import { HttpPeer, repeat, SealedValues, streamSignatures, type Transaction } from '@ostiary/service';
import {
  type District,
  type GraphPart,
  ofServices,
  type Platform,
  type Process,
  type Stop,
} from '../platform/module.ts';
import { EventPublisher, type EventPublisherOptions } from './events/domain/event-publisher.ts';
import { createKeptKeys } from './keys/data/kept-keys.ts';
import { LocalKeys } from './keys/data/local-keys.ts';
import { needingRedis } from './keys/data/needing-redis.ts';
import { SealedNotes } from './keys/data/sealed-notes.ts';
import { SigningKeys } from './keys/data/signing-keys.ts';
import { UsedValues } from './keys/data/used-values.ts';
import { MasterKeys } from './keys/domain/keys.ts';
import type { GenerateSigningKey } from './keys/domain/signing-keys.ts';
import { signingKeyLoaders, signingKeyResolvers } from './keys/graph/signing-keys.ts';
import { signingKeyEndpoints } from './keys/http/internal-signing-keys.ts';
import { jwksEndpoint } from './keys/http/jwks.ts';
import { rotateDueKeys } from './keys/key-rotation.jobs.ts';
import { PostgresBrandings } from './tenants/data/branding.ts';
import { postgresTenants } from './tenants/data/tenants.ts';
import type { TenantStatistics } from './tenants/domain/tenant-figures.ts';
import { type TenantRegisterOptions, type TenantSessionEnds, Tenants } from './tenants/domain/tenants.ts';
import type { WebOrigins } from './tenants/domain/web-origins.ts';
import { brandingOf, brandingResolvers } from './tenants/graph/branding.ts';
import { tenantResolvers } from './tenants/graph/tenant.ts';
import { brandingRoutes } from './tenants/http/branding.ts';
import { allowOtherOrigins } from './tenants/http/cross-origin.ts';
import { internalWebOriginsEndpoint } from './tenants/http/internal-web-origins.ts';
import { createAddressOwners } from './users/data/address-owners.ts';
import { AnnouncedUsers } from './users/data/changed-people.ts';
import { PostgresRevocationJournal } from './users/data/revocation-journal.ts';
import { lifetimeNotedEverySeconds, noteTokenLifetime } from './users/data/revocations.ts';
import { postgresSubjects } from './users/data/subjects.ts';
import { rekeyUserNames } from './users/data/user-names.ts';
import { directoryGroups } from './users/domain/directory-groups.ts';
import { FeedWaiting } from './users/domain/feed-waiting.ts';
import { RevocationLogs } from './users/domain/revocation-logs.ts';
import { revocationRoutes } from './users/internal-revocations.http.ts';

/**
 * Interval in milliseconds of the position message in the revocation stream. Verifiers receive new revocations
 * immediately. The position lets them detect a stream that was restarted.
 */
const heartbeatMs = 3_500;

/**
 * Maximum difference in seconds between the clocks of issuer and verifiers. Revocations are kept this much longer than
 * the token's lifetime.
 */
const clockSkewSeconds = 300;

/** Services of higher districts that this district uses. */
export interface TenancyPorts {
  /** Rejects answers that missed offboarding events could make wrong. */
  continuity: { during<T>(read: () => Promise<T>): Promise<T> };
  /** Issues service tokens. @param refused a token that the directory rejected; it is not returned again */
  serviceTokens: { tokenFor(service: 'directory', refused?: string): Promise<string> };
  introspection: { liveAccessToken(tenant: string, token: string): Promise<object | null> };
  liveApiToken(token: string): Promise<LiveApiToken | undefined>;
  /** Notifies every process after the commit that all clients of a tenant changed. */
  clientAnnouncements: { announceClientsOf(tx: Transaction, tenant: string): Promise<void> };
  sessionEnds: TenantSessionEnds;
  endWeakGrants: TenantRegisterOptions['endWeakGrants'];
  facts: EventPublisherOptions['facts'];
  endGrantsOfTenant(tx: Transaction, tenant: string): Promise<void>;
  tenantStatistics: TenantStatistics;
  webOrigins: WebOrigins;
}

type TenancyDependencies = Process &
  Platform & {
    quicker?: { generateSigningKey?: GenerateSigningKey } | undefined;
    higher: () => TenancyPorts;
  };

/** Rights that the modifying routes of this district confer. The process does not start with a route that is missing. */
export const tenancyConferrals = conferring(
  'nothing',
  'platform',
  ofServices('tenants/:tenant/signing-keys/rotate'),
);

export type Tenancy = ReturnType<typeof createServices>;

export function createTenancy(o: TenancyDependencies) {
  const services = createServices(o);
  const deps = { ...o, ...services };
  const district: District = {
    routes: {
      pages: (app) => brandingRoutes(app, deps),
      oauth(app) {
        allowOtherOrigins(app, { ...deps, webOrigins: o.higher().webOrigins });
        jwksEndpoint(app, deps);
      },
      internal: (app) => revocationRoutes(app, deps),
      internalOAuth(app) {
        signingKeyEndpoints(app, deps);
        internalWebOriginsEndpoint(app, { ...deps, webOrigins: o.higher().webOrigins });
      },
    },
    graph: () => graphOf(deps),
    start: () => startJobs(o, services),
  };
  return { services, district };
}

function graphOf(o: TenancyDependencies & Tenancy): GraphPart {
  const { env, kit, higher } = o;
  const settings = {
    sessionIdleSeconds: env.SESSION_IDLE_SECONDS,
    sessionAbsoluteSeconds: env.SESSION_ABSOLUTE_SECONDS,
    accessTokenSeconds: env.ACCESS_TOKEN_TTL_SECONDS,
    idTokenSeconds: env.ID_TOKEN_TTL_SECONDS,
    refreshTokenIdleSeconds: env.REFRESH_TOKEN_IDLE_SECONDS,
    refreshTokenAbsoluteSeconds: env.REFRESH_TOKEN_ABSOLUTE_SECONDS,
    invitationSeconds: env.INVITATION_TTL_SECONDS,
    passwordMinLength: env.PASSWORD_MIN_LENGTH,
    securityLogRetentionSeconds: env.SECURITY_LOG_RETENTION_SECONDS,
  };
  return {
    resolvers: [
      { User: { __resolveReference: ({ id }: { id: string }) => ({ id }) } },
      signingKeyResolvers(o),
      brandingResolvers(o),
      tenantResolvers({ settings, statistics: higher().tenantStatistics, clock: kit.clock }, brandingOf(o)),
    ],
    loaders: [signingKeyLoaders(o)],
  };
}

function createServices(o: TenancyDependencies) {
  const { database, env, kit, tenantChanges, higher } = o;
  const { clock } = kit;
  const directory = new HttpPeer({
    name: 'directory',
    origin: env.DIRECTORY_URL,
    neighbours: kit.neighbours,
    token: (refused) => higher().serviceTokens.tokenFor('directory', refused),
  });
  // Optional: the directory is asked only for users and tenants that are not stored here yet.
  kit.health.check('directory', () => directory.alive(), {
    required: false,
    impairs: 'New users and tenants are not available yet.',
  });
  const eventPublisher = publisherOf(o);
  const keys = keyServices(o);
  const users = userServices(o, directory);
  const policyDefaults = env.TENANT_POLICY_DEFAULTS;
  const tenantStore = postgresTenants({
    announceClients: (...of) => higher().clientAnnouncements.announceClientsOf(...of),
    endGrants: (...of) => higher().endGrantsOfTenant(...of),
  });
  const tenants = new Tenants({
    database,
    directory,
    eventPublisher,
    tenantStore,
    revocations: users.revocations,
    sessionEnds: { endSessionsOfTenant: (...of) => higher().sessionEnds.endSessionsOfTenant(...of) },
    endWeakGrants: (...of) => higher().endWeakGrants(...of),
    accessTokenSeconds: env.ACCESS_TOKEN_TTL_SECONDS,
    policyDefaults,
    tenantChanges,
    clock,
  });
  return {
    ...keys,
    ...users,
    /** Internal REST API of the directory, called with a service token that this service issues. */
    directory,
    eventPublisher,
    tenants,
    tenantStore,
    /** Returns a tenant's requirements for roles to apply; undefined for an unknown tenant. */
    policyOf: async (tenant: string) => (await tenants.find(tenant))?.policy,
    branding: new PostgresBrandings({ database, tenantChanges, clock }),
    verifier: tokenVerifier(o, keys, users),
  };
}

/** Publishes through the store of facts, which a higher district has. */
const publisherOf = ({ higher, securityLog }: TenancyDependencies): EventPublisher =>
  new EventPublisher({
    facts: {
      appendFacts: (...of) => higher().facts.appendFacts(...of),
      appendGated: (...of) => higher().facts.appendGated(...of),
      appendDeliveries: (...of) => higher().facts.appendDeliveries(...of),
      wakeWorkers: (...of) => higher().facts.wakeWorkers(...of),
    },
    securityLog,
  });

function keyServices({ database, env, kit, quicker, redis, tenantChanges }: TenancyDependencies) {
  const keys = new MasterKeys(env.ENCRYPTION_KEY, env.ENCRYPTION_KEY_SECOND);
  const sealedValues = new SealedValues({ ring: keys.of('redis-value'), ...kit });
  return {
    /** Master keys, from which other keys are derived. */
    keys,
    /** Keys that survive a replacement of the master keys. */
    keptKeys: createKeptKeys({ database, keys, kit }),
    /** Seals values that are stored in Redis and trusted when they are read. */
    sealedValues,
    sealedNotes: needingRedis(new SealedNotes({ redis, prefix: env.REDIS_PREFIX, values: sealedValues })),
    signingKeys: new SigningKeys({
      database,
      ring: keys.of('signing-key'),
      maxTokenLifetimeSeconds: Math.max(env.ACCESS_TOKEN_TTL_SECONDS, env.ID_TOKEN_TTL_SECONDS),
      tenantChanges,
      kit,
      generate: quicker?.generateSigningKey,
    }),
    /** Stores single-use values. */
    usedValues: new UsedValues({ sql: database.sql, keys: keys.of('used-values') }),
  };
}

function userServices({ database, env, kit, redis, higher }: TenancyDependencies, directory: HttpPeer) {
  const time = new ElapsedTime();
  /** Clock of the revocation list's staleness. */
  const monotonic = (): number => time.now();
  /** Live revocations, as this process has received them. */
  const revocationList = new RevocationList();
  measureRevocations(kit, revocationList, monotonic);
  const revocations = new PostgresRevocationJournal({
    sql: database.sql,
    continuity: { during: (read) => higher().continuity.during(read) },
    redis,
    prefix: env.REDIS_PREFIX,
    signatures: streamSignatures(env),
    list: revocationList,
    accessTokenSeconds: env.ACCESS_TOKEN_TTL_SECONDS,
    log: kit.log,
  });
  return {
    revocationList,
    revocations,
    /** Maximum lifetime in seconds of a token issued now, including clock skew. */
    tokenLifetimeSeconds: env.ACCESS_TOKEN_TTL_SECONDS + clockSkewSeconds,
    monotonic,
    subjectStore: postgresSubjects,
    groups: directoryGroups(directory),
    addressOwners: createAddressOwners(directory),
    feedWaiting: new FeedWaiting({ revocations, list: revocationList, monotonic }),
    /** Revocations of each tenant whose public feed is in use. */
    revocationLogs: new RevocationLogs({
      journal: revocations,
      list: revocationList,
      monotonic,
      clock: kit.clock,
    }),
    /** Notifies every process of users that the directory changed. */
    changedUsers: new AnnouncedUsers(database),
  };
}

type KeyServices = ReturnType<typeof keyServices>;
type UserServices = ReturnType<typeof userServices>;

/** Verifies access tokens of all tenants and service tokens, with the keys and revocation list of this process. */
const tokenVerifier = (
  { env, kit, proofs, higher }: TenancyDependencies,
  { signingKeys }: KeyServices,
  { monotonic, revocationList }: UserServices,
): TokenVerifier =>
  new LocalTokenVerifier({
    publicOrigin: env.PUBLIC_ORIGIN,
    keys: new LocalKeys(signingKeys),
    revocations: revocationList,
    proofs,
    introspect: async (tenant, token) => {
      const { continuity, introspection } = higher();
      return (await continuity.during(() => introspection.liveAccessToken(tenant, token))) !== null;
    },
    apiToken: (token) => {
      const { continuity, liveApiToken } = higher();
      return continuity.during(() => liveApiToken(token));
    },
    // Above this staleness, tokens are checked in the database.
    maxStalenessMs: env.REVOCATION_MAX_STALENESS_SECONDS * 1_000,
    clock: kit.clock,
    monotonic,
  });

async function startJobs(o: TenancyDependencies, services: Tenancy): Promise<Stop[]> {
  const { signingKeys } = services;
  const stopFollowing = await signingKeys.start();
  // Creates the key of service tokens in advance. Without a database the first token creates it.
  signingKeys
    .signer(platformTenant, 'ES256')
    .catch((error) =>
      o.kit.log.warn(
        { event: 'signing_keys.platform_missing', err: error },
        'Platform tenant has no signing keys yet',
      ),
    );
  return [stopFollowing, ...startFeed(o, services), ...startKeyRounds(o, signingKeys)];
}

/** Starts the jobs of the revocation feed. */
function startFeed(
  { database, env, kit: { log } }: TenancyDependencies,
  { monotonic, revocations, revocationList }: UserServices,
) {
  const follower = new RevocationFollower({
    list: revocationList,
    redisUrl: env.REDIS_URL,
    prefix: env.REDIS_PREFIX,
    signatures: streamSignatures(env),
    pull: (after) => revocations.page(after),
    log,
    clock: monotonic,
  });
  follower.start();
  return [
    () => follower.stop(),
    repeat({
      name: 'revocation heartbeat',
      everyMs: heartbeatMs,
      log,
      work: () => revocations.heartbeat(follower.maxSeq),
    }),
    repeat({
      name: 'lifetime of access tokens',
      everyMs: lifetimeNotedEverySeconds * 1_000,
      log,
      work: () => noteTokenLifetime(database.sql, env.ACCESS_TOKEN_TTL_SECONDS),
    }),
  ];
}

/** Starts the jobs that rotate keys. */
function startKeyRounds({ database, env, kit: { log } }: TenancyDependencies, signingKeys: SigningKeys) {
  return [
    repeat({
      name: 'key rotation',
      everyMs: Math.min(60_000, env.SIGNING_KEY_LEAD_SECONDS * 500),
      jitter: true,
      log,
      work: (signal) =>
        rotateDueKeys(
          signingKeys,
          {
            rotationSeconds: env.SIGNING_KEY_ROTATION_SECONDS,
            leadSeconds: env.SIGNING_KEY_LEAD_SECONDS,
          },
          signal,
        ),
    }),
    repeat({
      name: 'keys of user names',
      everyMs: 60_000,
      jitter: true,
      log,
      work: async (signal) => void (await rekeyUserNames(database.sql, () => signal.aborted)),
    }),
  ];
}
