import type { RemoteAccess } from '@ostiary/access';
import { documentLimits } from '@ostiary/graph';
import { HttpPeer, type parseEnv, type Redis, type ServiceKit, streamSignatures } from '@ostiary/service';
import { readTrustedDocuments } from '../admission/graph/index.ts';
import { ReleasedConsole } from '../console/data/index.ts';
import type { ConsoleFiles } from '../console/index.ts';
import { CrossOrigin } from '../cors/http/index.ts';
import { RegisteredWebOrigins } from '../cors/index.ts';
import type { env as specification } from '../env.ts';
import { Live } from '../subscriptions/graph/index.ts';
import { LiveFeed } from '../subscriptions/jobs/index.ts';
import type { GraphGuards } from './guards.ts';

type Env = ReturnType<typeof parseEnv<typeof specification>>;

/** What a running process is put together from. */
interface ProcessParts {
  env: Env;
  kit: ServiceKit;
  access: RemoteAccess;
}

/** Which pages of other origins may use the graph: those registered with the authorization server. */
export function createCrossOrigin({
  env,
  kit,
  access,
  onStop,
}: ProcessParts & { onStop: (name: string, stop: () => Promise<void>) => void }): CrossOrigin {
  const auth = new HttpPeer({
    name: 'auth',
    origin: env.AUTH_URL,
    connections: 2,
    timeoutMs: 1_000,
    token: access.tokenFor('auth'),
    neighbours: kit.neighbours,
  });
  onStop('auth', () => auth.close());
  return new CrossOrigin({
    publicOrigin: env.PUBLIC_ORIGIN,
    origins: env.LIVE_ORIGINS,
    webOrigins: new RegisteredWebOrigins({ auth, log: kit.log }),
  });
}

/** The graph's subscriptions, fed from Redis. */
export function createLive({
  env,
  kit,
  access,
  crossOrigin,
}: ProcessParts & { crossOrigin: CrossOrigin }): Live {
  return new Live({
    kit,
    verifier: access.verifier,
    revocations: access.revocations,
    publicOrigin: env.PUBLIC_ORIGIN,
    feed: (listeners) =>
      new LiveFeed({
        redisUrl: env.REDIS_URL,
        prefix: env.REDIS_PREFIX,
        signatures: streamSignatures(env),
        log: kit.log,
        ...listeners,
      }),
    introspection: env.GRAPH_INTROSPECTION,
    crossOrigin,
    limits: {
      subscriptions: env.LIVE_SUBSCRIPTIONS,
      connectionsPerClient: env.LIVE_CONNECTIONS_PER_CLIENT,
      connectionsPerNetwork: env.LIVE_CONNECTIONS_PER_NETWORK,
    },
  });
}

/** What is served of the console, or why it isn't, and the operations that it asks the graph with. */
export interface ConsoleParts {
  console: { files: ConsoleFiles; tenants: readonly string[] } | string;
  /** The path of their manifest. */
  documents?: string;
}

/** @param folder where the release has its console */
export async function consoleOf(env: Env, folder: string): Promise<ConsoleParts> {
  if (!env.CONSOLE) return { console: 'The console is disabled (CONSOLE).' };
  const released = await ReleasedConsole.in(folder);
  if (!released) return { console: 'This gateway was built without the console.' };
  return { console: { files: released, tenants: env.CONSOLE_TENANTS }, documents: released.documents };
}

/**
 * What clients of the graph may ask for, by the environment.
 * @param consoleDocuments the manifest of the console, where it is served
 * @throws Error when it contradicts itself
 */
export async function guardsOf(env: Env, redis: Redis, consoleDocuments?: string): Promise<GraphGuards> {
  const of = (path: string | undefined): string[] => (path === undefined ? [] : [path]);
  const paths = of(env.GRAPH_TRUSTED_DOCUMENTS);
  // A schema that lacks what a page of the console asks for is the operator's to serve all the same.
  const optional = of(consoleDocuments);
  if (paths.length + optional.length === 0 && env.GRAPH_TRUSTED_DOCUMENTS_ONLY) {
    throw new Error('GRAPH_TRUSTED_DOCUMENTS_ONLY needs a manifest: set GRAPH_TRUSTED_DOCUMENTS.');
  }
  return {
    limits: { ...documentLimits, depth: env.GRAPH_DEPTH_LIMIT, cost: env.GRAPH_COST_LIMIT },
    pointsPerMinute: env.GRAPH_POINTS_PER_MINUTE,
    redis,
    prefix: env.REDIS_PREFIX,
    persistedQueries: env.GRAPH_PERSISTED_QUERIES,
    documents: paths.length + optional.length === 0 ? undefined : await readTrustedDocuments(paths, optional),
    documentsOnly: env.GRAPH_TRUSTED_DOCUMENTS_ONLY,
  };
}
