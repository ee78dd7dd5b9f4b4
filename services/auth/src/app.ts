import {
  oauthBodyLimit,
  ownPerimeter,
  platformTenant,
  type RouteConferrals,
  requireRouteConferrals,
} from '@ostiary/access';
import { replicaOutcomes } from '@ostiary/database';
import {
  createHttp,
  isRefusal,
  measurePool,
  measureReplica,
  measureTakeovers,
  redisProbe,
} from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import { startLastUses } from './access/machines/last-uses.jobs.ts';
import { accessConferrals, createAccess } from './access/module.ts';
import { clientConferrals, createClients } from './clients/module.ts';
import type { Dependencies } from './composition/dependencies.ts';
import { startJobs } from './composition/jobs.ts';
import { routeChecks } from './identity/account/http/route-assurance.ts';
import { createIdentity, identityConferrals } from './identity/module.ts';
import type { PasswordCost } from './identity/sign-in/domain/password-cost.ts';
import { signInTerms } from './identity/sign-in/domain/recent-sign-in.ts';
import { keepDoorsSound } from './lifecycle/directory-events/http/readiness-gate.ts';
import { createLifecycle, lifecycleConferrals } from './lifecycle/module.ts';
import { createOAuth, oauthConferrals } from './oauth/module.ts';
import { type Origin, runFrom } from './platform/audit/domain/origin.ts';
import { migrations, tables } from './platform/database/generated/migrations.ts';
import {
  createPlatform,
  type District,
  graphConferrals,
  type Process,
  serveGraph,
  serveRoutes,
} from './platform/module.ts';
import { typeDefs } from './schema.ts';
import { createSignals, signalConferrals } from './signals/module.ts';
import type { GenerateSigningKey } from './tenancy/keys/domain/signing-keys.ts';
import { createTenancy, tenancyConferrals } from './tenancy/module.ts';

export type { Dependencies } from './composition/dependencies.ts';

export interface AuthService {
  app: FastifyInstance;
  deps: Dependencies;
  /** Starts the followers and jobs. Resolves to the function that stops them. */
  start(): Promise<() => Promise<void>>;
}

/**
 * Fast replacements for slow operations, for tests that do not examine them. No environment variable sets them, and
 * `main.ts` passes none.
 */
export interface Quicker {
  readonly passwordCost?: PasswordCost;
  /** Generates key pairs for signatures (RSA takes 0.1 s). */
  readonly generateSigningKey?: GenerateSigningKey;
}

interface AuthServiceOptions extends Process {
  /**
   * Maximum time in milliseconds without a database answer before `DirectoryContinuity` assumes a break. Tests that
   * suspend the process raise it.
   */
  breakMs?: number | undefined;
  quicker?: Quicker | undefined;
}

/** Returns the rights that each modifying route confers. */
export const routeConferrals = (enabled: { deviceFlow: boolean }): RouteConferrals => ({
  ...graphConferrals,
  ...tenancyConferrals,
  ...accessConferrals,
  ...clientConferrals,
  ...identityConferrals,
  ...oauthConferrals(enabled),
  ...signalConferrals,
  ...lifecycleConferrals,
});

/** Composes the service. Opens no connection and no port. */
export async function createAuthService(o: AuthServiceOptions): Promise<AuthService> {
  const { deps, districts } = compose(o);
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
  await serveRoutes(app, districts);
  await serveGraph(app, districts, {
    ...deps,
    typeDefs,
    signInTerms: (principal) => signInTerms(deps, principal),
  });

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

/**
 * Creates the districts, the lowest first. Each element of `districts` has the services of the lower ones and the
 * routes and part of the graph of its own.
 */
function compose(o: AuthServiceOptions): { deps: Dependencies; districts: District[] } {
  const higher = (): Dependencies => all;
  const platform = { ...o, ...createPlatform(o) };
  const tenancy = { ...platform, ...createTenancy({ ...platform, higher }) };
  const access = { ...tenancy, ...createAccess({ ...tenancy, higher }) };
  const clients = { ...access, ...createClients(access) };
  const identity = { ...clients, ...createIdentity({ ...clients, higher }) };
  const oauth = { ...identity, ...createOAuth({ ...identity, higher }) };
  const signals = { ...oauth, ...createSignals(oauth) };
  const all: Dependencies = { ...signals, ...createLifecycle(signals) };
  return { deps: all, districts: [platform, tenancy, access, clients, identity, oauth, signals, all] };
}

async function start(deps: Dependencies): Promise<() => Promise<void>> {
  // Starts first, because requests wait for it.
  const stopWatching = deps.continuity.start((events) => deps.directoryEvents.accept(events));
  const stopsFollowing = await Promise.all([
    deps.signingKeys.start(),
    deps.clients.start(),
    deps.signalPolls.start(),
    deps.changedPeople.follow((person) => deps.tokenLiveness.forget(person)),
  ]);
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
    await Promise.all(stopsFollowing.map((stop) => stop()));
    await stopWatching();
    await deps.keptKeys.stop();
    await deps.directory.close();
  };
}
