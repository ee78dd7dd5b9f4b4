import { oauthBodyLimit, ownPerimeter, type RouteConferrals, requireRouteConferrals } from '@ostiary/access';
import { createHttp, WorkPoll } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import { type Access, accessConferrals, createAccess } from './access/module.ts';
import { type ClientServices, clientConferrals, createClients } from './clients/module.ts';
import { routeChecks } from './identity/account/http/route-assurance.ts';
import { createIdentity, type Identity, identityConferrals } from './identity/module.ts';
import type { PasswordCost } from './identity/sign-in/domain/password-cost.ts';
import { signInTerms } from './identity/sign-in/domain/recent-sign-in.ts';
import { addReadinessGate } from './lifecycle/directory-events/http/readiness-gate.ts';
import { createLifecycle, type Lifecycle, lifecycleConferrals } from './lifecycle/module.ts';
import { lookForWork } from './maintenance.ts';
import { createOAuth, type OAuth, oauthConferrals } from './oauth/module.ts';
import { type Origin, runFrom } from './platform/audit/domain/origin.ts';
import {
  createPlatform,
  type District,
  graphConferrals,
  type Platform,
  type Process,
  type Stop,
  serveGraph,
  serveRoutes,
} from './platform/module.ts';
import { typeDefs } from './schema.ts';
import { createSignals, type Signals, signalConferrals } from './signals/module.ts';
import type { GenerateSigningKey } from './tenancy/keys/domain/signing-keys.ts';
import { createTenancy, type Tenancy, tenancyConferrals } from './tenancy/module.ts';

/** Services of all districts. */
export type Dependencies = Process &
  Platform &
  Tenancy &
  Access &
  ClientServices &
  Identity &
  OAuth &
  Signals &
  Lifecycle;

export interface AuthService {
  app: FastifyInstance;
  deps: Dependencies;
  /** Starts the followers and jobs. Resolves to the function that stops them. */
  start(): Promise<Stop>;
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
    perimeter: ownPerimeter({ service: 'auth', bodyLimit: oauthBodyLimit, neighbours: o.kit.neighbours }),
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
  addReadinessGate(app, deps.continuity);
  await serveRoutes(app, districts);
  await serveGraph(app, districts, {
    ...deps,
    typeDefs,
    signInTerms: (principal) => signInTerms(deps, principal),
  });
  return { app, deps, start: () => start(deps, districts) };
}

/** Creates the districts, the lowest first. */
function compose(o: AuthServiceOptions): { deps: Dependencies; districts: District[] } {
  const higher = (): Dependencies => deps;
  const platform = createPlatform(o);
  const belowTenancy = { ...o, ...platform.services };
  const tenancy = createTenancy({ ...belowTenancy, higher });
  const belowAccess = { ...belowTenancy, ...tenancy.services };
  const access = createAccess({ ...belowAccess, higher });
  const belowClients = { ...belowAccess, ...access.services };
  const clients = createClients({ ...belowClients, higher });
  const belowIdentity = { ...belowClients, ...clients.services };
  const identity = createIdentity({ ...belowIdentity, higher });
  const belowOAuth = { ...belowIdentity, ...identity.services };
  const oauth = createOAuth({ ...belowOAuth, higher });
  const belowSignals = { ...belowOAuth, ...oauth.services };
  const signals = createSignals(belowSignals);
  const belowLifecycle = { ...belowSignals, ...signals.services };
  const lifecycle = createLifecycle(belowLifecycle);
  const deps: Dependencies = { ...belowLifecycle, ...lifecycle.services };
  const composed = [platform, tenancy, access, clients, identity, oauth, signals, lifecycle];
  return { deps, districts: composed.map(({ district }) => district) };
}

async function start(deps: Dependencies, districts: readonly District[]): Promise<Stop> {
  // Starts first, because requests wait for it.
  const stopWatching = deps.continuity.start((events) => deps.directoryEvents.accept(events));
  const pending = new WorkPoll({
    name: 'work to do',
    everyMs: 800,
    look: () => lookForWork(deps.database.sql),
    log: deps.kit.log,
  });
  const stops: Stop[][] = [[pending.start()]];
  for (const district of districts) stops.unshift(await district.start(pending));
  return async () => {
    for (const ofDistrict of stops) await Promise.all(ofDistrict.map((stop) => stop()));
    await stopWatching();
    await deps.keptKeys.stop();
    await deps.directory.close();
  };
}
