import {
  conferring,
  DpopProofs,
  issuerOf,
  proofAllowance,
  type RouteConferrals,
  type TokenVerifier,
} from '@ostiary/access';
import { type Database, replicaOutcomes } from '@ostiary/database';
import { type Conferring, subgraphPlugin } from '@ostiary/graph';
import {
  createSafeFetch,
  createSafePost,
  dpopNonceKeys,
  isRefusal,
  measurePool,
  measureReplica,
  measureTakeovers,
  type OutgoingPolicy,
  type Redis,
  redisProbe,
  type ServiceKit,
  type WorkPoll,
} from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import type { AuthEnv } from '../env.ts';
import type { PendingWork } from '../maintenance.ts';
import { securityLogResolvers } from './audit/graph/security-log.ts';
import { PostgresSecurityLogReader, postgresSecurityLog } from './audit/security-log.data.ts';
import type { PrismaClient } from './database/generated/client.ts';
import { migrations, tables } from './database/generated/migrations.ts';
import { RedisAttempts } from './limits/data/attempts.ts';
import { PostgresGuesses } from './limits/data/guesses.ts';
import { HeardTenantChanges } from './memory/tenant-changes.data.ts';
import { notFoundPages, servePages } from './pages/http/scope.ts';
import { answerError, serveOAuth } from './protocol/http/oauth-endpoint.ts';
import { type GraphPart, joined } from './subgraph/graph/subgraph.ts';

export type { GraphPart } from './subgraph/graph/subgraph.ts';

/** Dependencies of every district, built by `main.ts` or a test. */
export interface Process {
  kit: ServiceKit;
  env: AuthEnv;
  database: Database<PrismaClient>;
  redis: Redis;
}

/** Parts that a district adds to the process, besides its services. */
export interface District {
  routes: Routes;
  /** Returns the part of the graph. Called after all districts are composed. */
  graph: () => GraphPart;
  /** Starts the jobs. Returns the functions that stop them. Every process may run them concurrently. */
  start(pending: WorkPoll<PendingWork>): Stop[] | Promise<Stop[]>;
}

export type Stop = () => Promise<void>;

type AddRoutes = (app: FastifyInstance) => void;

/** Routes of a district, by the scope that serves them. */
export interface Routes {
  pages?: AddRoutes;
  /** Endpoints of the protocol for pages of every registered origin. */
  oauth?: AddRoutes;
  /** Routes for other services. */
  internal?: AddRoutes;
  /** Routes for other services that report errors of the protocol. */
  internalOAuth?: AddRoutes;
  /** Routes that each have a scope of their own. */
  separate?: readonly AddRoutes[];
}

/** Adds the routes of all districts. */
export async function serveRoutes(app: FastifyInstance, districts: readonly District[]): Promise<void> {
  const scope = async (
    kind: Exclude<keyof Routes, 'separate'>,
    configure: AddRoutes = () => undefined,
  ): Promise<void> => {
    await app.register(async (scoped) => {
      configure(scoped);
      for (const { routes } of districts) routes[kind]?.(scoped);
    });
  };
  await scope('oauth', serveOAuth);
  await scope('internalOAuth', (internal) => internal.setErrorHandler(answerError));
  await scope('pages', servePages);
  await scope('internal');
  await app.register(notFoundPages, { prefix: '/t' });
  for (const routes of districts.flatMap((district) => district.routes.separate ?? []))
    await app.register(async (scoped) => routes(scoped));
}

/** Adds the subgraph of all districts at POST /graphql. */
export async function serveGraph(
  app: FastifyInstance,
  districts: readonly District[],
  o: Process & {
    typeDefs: string;
    verifier: TokenVerifier;
    signInTerms: Conferring<never>['signInTerms'];
  },
): Promise<void> {
  const { rights, ...graph } = joined(districts.map((district) => district.graph()));
  await app.register(
    subgraphPlugin<never>({
      ...graph,
      name: 'auth',
      typeDefs: o.typeDefs,
      conferring: { rights, signInTerms: o.signInTerms },
      verifier: o.verifier,
      publicOrigin: o.env.PUBLIC_ORIGIN,
      kit: o.kit,
      introspection: o.env.GRAPH_INTROSPECTION ?? o.env.NODE_ENV !== 'production',
      writing: o.database.replica.standby?.writing,
    }),
  );
}

/** Returns the names of routes of a tenant. */
export const ofTenant = (method: string, ...paths: string[]): string[] =>
  paths.map((path) => `${method} /t/:tenant/${path}`);

/** Returns the names of routes for other services. */
export const ofServices = (...paths: string[]): string[] => paths.map((path) => `POST /internal/v1/${path}`);

/** Mutations of the graph declare the rights that they confer in the schema (`@confers`). */
export const graphConferrals: RouteConferrals = conferring('rights of the mutation', 'held scopes', [
  'POST /graphql',
]);

export type Platform = ReturnType<typeof createPlatform>['services'];

export function createPlatform(o: Process) {
  const { kit, env, database, redis } = o;
  watchEngines(o);
  const outgoingPolicy: OutgoingPolicy = {
    allowPrivate: env.OUTGOING_ALLOW_PRIVATE,
    allowHttp: env.NODE_ENV !== 'production',
  };
  const securityLogReader = new PostgresSecurityLogReader(database.sql, database.replica);
  const district: District = {
    routes: {},
    start: () => [],
    graph: () => ({ resolvers: [securityLogResolvers({ securityLogReader })] }),
  };
  const services = {
    /** Invalidates cached tenants, clients and keys. */
    tenantChanges: new HeardTenantChanges({ sql: database.sql, clock: kit.clock }),
    attempts: new RedisAttempts(redis, env.REDIS_PREFIX),
    guesses: new PostgresGuesses(database.sql),
    securityLog: postgresSecurityLog,
    /** Returns the issuer of a tenant: `${PUBLIC_ORIGIN}/t/${tenant}`. */
    issuer: (tenant: string): string => issuerOf(env.PUBLIC_ORIGIN, tenant),
    /** Outgoing requests to addresses that clients and administrators configured. */
    outgoingPolicy,
    safeFetch: createSafeFetch(outgoingPolicy),
    safePost: createSafePost(outgoingPolicy),
    /** Verifies proofs of possession (RFC 9449). */
    proofs: new DpopProofs({
      redis,
      prefix: env.REDIS_PREFIX,
      nonceKeys: dpopNonceKeys(env),
      allowance: proofAllowance({
        redis,
        prefix: env.REDIS_PREFIX,
        log: kit.log,
        perMinute: env.DPOP_PROOFS_PER_MINUTE,
      }),
      clock: kit.clock,
    }),
  };
  return { services, district };
}

function watchEngines({ kit, database, redis, env }: Process): void {
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
}
