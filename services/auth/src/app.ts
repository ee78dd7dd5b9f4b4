import {
  LocalTokenVerifier,
  measureRevocations,
  oauthBodyLimit,
  ownPerimeter,
  platformTenant,
  RevocationList,
  requireRouteConferrals,
  type TokenVerifier,
} from '@ostiary/access';
import { type Database, replicaOutcomes } from '@ostiary/database';
import {
  createHttp,
  HttpPeer,
  isRefusal,
  measurePool,
  measureReplica,
  measureTakeovers,
  type Redis,
  redisProbe,
  type ServiceKit,
} from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import { PostgresGrantStore } from './access/grants/data/grant-store.ts';
import { liveApiToken } from './access/machines/domain/api-token-reader.ts';
import { startLastUses } from './access/machines/last-uses.jobs.ts';
import type { Departure } from './clients/data/client-changes.ts';
import { ClientRegistrations } from './clients/data/clients.ts';
import { ConsoleRegistration } from './clients/data/console-registration.ts';
import type { AuthDependencies, Quicker } from './composition/dependencies.ts';
import { startJobs } from './composition/jobs.ts';
import { createPeoplePorts, type People } from './composition/people.ts';
import { peopleRoutes } from './composition/people-routes.ts';
import { createProtocolPorts, type Protocol } from './composition/protocol.ts';
import { protocolRoutes } from './composition/protocol-routes.ts';
import { routeConferrals } from './composition/route-conferrals.ts';
import { createSenders } from './composition/senders.ts';
import { stores } from './composition/stores.ts';
import { authSubgraph } from './composition/subgraph.ts';
import { countedSeparations, type ProtocolFoundation } from './composition/tokens.ts';
import { type AuthEnv, consoleUrlOf } from './env.ts';
import { routeChecks } from './identity/account/http/route-assurance.ts';
import { endWeakGrants } from './identity/sign-in/domain/second-factor-required.ts';
import { DirectoryContinuity } from './lifecycle/directory-events/continuity.data.ts';
import { keepDoorsSound } from './lifecycle/directory-events/http/readiness-gate.ts';
import { type Origin, runFrom } from './platform/audit/domain/origin.ts';
import type { PrismaClient } from './platform/database/generated/client.ts';
import { migrations, tables } from './platform/database/generated/migrations.ts';
import { createPlatform } from './platform/module.ts';
import { postgresFactCursors } from './signals/data/cursors.ts';
import type { Senders } from './signals/domain/delivery.ts';
import { LocalKeys } from './tenancy/keys/data/local-keys.ts';
import { createTenancy, type Tenancy } from './tenancy/module.ts';

/** Clock of the revocation list's staleness. Corrections of the wall clock do not affect it. */
const monotonic = (): number => performance.now();

export type Dependencies = AuthDependencies &
  Protocol &
  People & { senders: Senders; continuity: DirectoryContinuity };

export interface AuthService {
  app: FastifyInstance;
  deps: Dependencies;
  /** Starts the followers and jobs. Resolves to the function that stops them. */
  start(): Promise<() => Promise<void>>;
}

interface AuthServiceOptions {
  kit: ServiceKit;
  env: AuthEnv;
  database: Database<PrismaClient>;
  redis: Redis;
  /**
   * Maximum time in milliseconds without a database answer before `DirectoryContinuity` assumes a break. Tests that
   * suspend the process raise it.
   */
  breakMs?: number | undefined;
  quicker?: Quicker | undefined;
}

/** Composes the service. Opens no connection and no port. */
export async function createAuthService(o: AuthServiceOptions): Promise<AuthService> {
  const deps = compose(o);
  await deps.keptKeys.start();
  const app = createHttp(o.kit, {
    trustedProxies: o.env.TRUSTED_PROXIES,
    publicOrigin: o.env.PUBLIC_ORIGIN,
    direct: ownPerimeter({ service: 'auth', bodyLimit: oauthBodyLimit, neighbours: o.kit.neighbours }),
  });
  // Origin of the request for entries of the security log.
  app.addHook('onRequest', (request, _reply, next) => {
    const origin: Origin = {
      get principal() {
        return request.principal;
      },
      ipAddress: request.ip,
      userAgent: request.headers['user-agent'],
    };
    runFrom(origin, next);
  });
  requireRouteConferrals(app, routeConferrals({ deviceFlow: o.env.DEVICE_FLOW_ENABLED }), routeChecks(deps));
  keepDoorsSound(app, deps.continuity);
  await app.register(protocolRoutes(deps));
  await app.register(peopleRoutes(deps));
  await app.register(authSubgraph(deps));

  checkHealth(o, deps);
  return { app, deps, start: () => start(deps) };
}

function checkHealth({ kit, database, redis, env }: AuthServiceOptions, deps: Dependencies): void {
  measurePool(kit.metrics, () => database.load);
  measureTakeovers(kit.metrics, (listener) => database.onTermChange(listener));
  measureReplica(kit.metrics, database.replica.standby, replicaOutcomes);
  kit.health.check('postgresql', () => database.ready(migrations, tables), {
    impairs: 'Users cannot sign in, and tokens can be neither issued, refreshed nor introspected.',
  });
  // Optional while Redis is unreachable: codes and sign-ins wait, but tokens, keys and the revocation feed are still
  // served. Required when Redis refuses the connection: waiting does not resolve that, so a rollout must stop.
  kit.health.check('redis', redisProbe(redis, env.REDIS_PREFIX, 'auth'), {
    required: isRefusal,
    impairs:
      'Users cannot sign in, and codes, device codes and pushed requests are rejected. Tokens keep working.',
  });
  // Access is granted only after missed offboarding events are processed.
  kit.health.check('departures', () => deps.continuity.caughtUp(), {
    impairs:
      'Users cannot sign in, and tokens are neither issued, refreshed nor confirmed. Revocation works.',
  });
  // Optional: the directory is asked only for users and tenants that are not stored here yet.
  kit.health.check('directory', () => deps.directory.alive(), {
    required: false,
    impairs: 'New users and tenants are not available yet.',
  });
}

function compose({ breakMs, ...o }: AuthServiceOptions): Dependencies {
  const directory = new HttpPeer({
    name: 'directory',
    origin: o.env.DIRECTORY_URL,
    neighbours: o.kit.neighbours,
    token: (refused) => protocol.serviceTokens.tokenFor('directory', refused),
  });
  const continuity = new DirectoryContinuity({ database: o.database, directory, log: o.kit.log, breakMs });
  const foundation = createFoundation(o, {
    directory,
    continuity,
    grants: () => protocol.grants,
    consoleClients: () => consoleRegistration,
  });
  const { revocationList } = foundation;
  const protocol = createProtocolPorts(foundation);
  measureRevocations(o.kit, revocationList, monotonic);
  const people = createPeoplePorts({ ...protocol, ...foundation });
  const { clientRegistry, consoleRegistration } = clientRegistrations(o, protocol, foundation);
  const verifier = tokenVerifier(o, protocol, foundation, { revocationList, continuity });
  const grantStore = new PostgresGrantStore({
    ...stores,
    database: o.database,
    grants: protocol.grants,
    revocations: foundation.revocations,
    onSeparated: countedSeparations(o.kit),
  });
  const senders = createSenders({ ...foundation, ...protocol });
  return {
    ...foundation,
    ...protocol,
    ...people,
    clientRegistry,
    grantStore,
    verifier,
    continuity,
    senders,
  };
}

/** Composes the lower districts. @param higher what higher districts implement for them */
function createFoundation(
  o: Omit<AuthServiceOptions, 'breakMs'>,
  higher: Pick<ProtocolFoundation, 'directory' | 'consoleClients'> & {
    continuity: DirectoryContinuity;
    grants: () => Protocol['grants'];
  },
): ProtocolFoundation {
  const { continuity, directory, grants, consoleClients } = higher;
  const platform = createPlatform(o);
  const shared = { ...o, ...platform, directory, revocationList: new RevocationList(), monotonic };
  const tenancy: Tenancy = createTenancy({
    ...shared,
    generateSigningKey: o.quicker?.generateSigningKey,
    ports: {
      ...stores,
      continuity,
      cursors: postgresFactCursors,
      endWeakGrants: (tx, tenant, actor) =>
        endWeakGrants(tx, tenant, {
          ...stores,
          grants: grants(),
          revocations: tenancy.revocations,
          ...(actor && { actor }),
        }),
    },
  });
  return {
    ...shared,
    ...tenancy,
    ...stores,
    policyOf: async (tenant) => (await tenancy.tenants.find(tenant))?.policy,
    consoleClients,
  };
}

/** Composes client registration: dynamic registration, and registration of the console in each tenant. */
function clientRegistrations(
  o: AuthServiceOptions,
  protocol: Protocol,
  { revocations, signingKeys, tenants }: Tenancy,
) {
  const departure = (): Departure => ({
    secrets: protocol.clientSecrets,
    grants: protocol.grants,
    revocations,
    expiresAt: Math.ceil(o.kit.clock() / 1000) + protocol.tokenLifetimeSeconds,
  });
  const common = { database: o.database, departure, revocations };
  const clientRegistry = new ClientRegistrations({
    ...common,
    clients: protocol.clients,
    secrets: protocol.clientSecrets,
    sectors: protocol.sectorDocuments,
    rulesOf: async (tenant) => ({
      httpsOnly: o.env.NODE_ENV === 'production',
      allowPrivate: o.env.OUTGOING_ALLOW_PRIVATE,
      requiredProfile: (await tenants.find(tenant))?.policy.requiredClientProfile ?? 'standard',
    }),
    publishKeys: (client) => signingKeys.publishFor(client),
  });
  return {
    clientRegistry,
    consoleRegistration: new ConsoleRegistration({ ...common, url: consoleUrlOf(o.env) }),
  };
}

/**
 * Composes the verifier of access tokens of all tenants and of service tokens. It uses the keys and revocation list of
 * this process.
 */
function tokenVerifier(
  o: AuthServiceOptions,
  protocol: Protocol,
  { signingKeys, tenants }: Tenancy,
  { revocationList, continuity }: { revocationList: RevocationList; continuity: DirectoryContinuity },
): TokenVerifier {
  return new LocalTokenVerifier({
    publicOrigin: o.env.PUBLIC_ORIGIN,
    keys: new LocalKeys(signingKeys),
    revocations: revocationList,
    proofs: protocol.proofs,
    introspect: async (tenant, token) =>
      (await continuity.during(() => protocol.introspection.liveAccessToken(tenant, token))) !== null,
    apiToken: (token) =>
      continuity.during(() => liveApiToken({ apiTokenReader: protocol.apiTokenReader, tenants }, token)),
    // Above this staleness, tokens are checked in the database.
    maxStalenessMs: o.env.REVOCATION_MAX_STALENESS_SECONDS * 1_000,
    clock: o.kit.clock,
    monotonic,
  });
}

async function start(deps: Dependencies): Promise<() => Promise<void>> {
  // Starts first, because requests wait for it.
  const stopWatching = deps.continuity.start((events) => deps.directoryEvents.accept(events));
  const stopFollowing = await deps.startFollowing();
  const stopJobs = startJobs(deps);
  const stopLastUses = startLastUses(deps.kit.log, [
    deps.apiTokenUses,
    deps.serviceAccountKeyUses,
    deps.signInTally,
  ]);
  // Creates the key of service tokens in advance. Without a database the first token creates it.
  deps.signingKeys
    .signer(platformTenant, 'ES256')
    .catch((error) =>
      deps.kit.log.warn(
        { event: 'signing_keys.platform_missing', err: error },
        'Platform tenant has no signing keys yet',
      ),
    );
  return async () => {
    await stopJobs();
    await stopLastUses();
    await stopFollowing();
    await stopWatching();
    await deps.keptKeys.stop();
    await deps.directory.close();
  };
}
