import type { RemoteAccess } from '@ostiary/access';
import { documentLimits } from '@ostiary/graph';
import { HttpPeer, type parseEnv, type Redis, type ServiceKit, streamSignatures } from '@ostiary/service';
import { readTrustedDocuments } from '../admission/graph/trusted-documents.ts';
import { ReleasedConsole } from '../console/console-files.data.ts';
import type { ConsoleFiles } from '../console/domain/console-file.ts';
import { CrossOrigin } from '../cors/cross-origin.http.ts';
import { RegisteredWebOrigins } from '../cors/web-origins.ts';
import type { env as specification } from '../env.ts';
import { LiveFeed } from '../subscriptions/event-feed.jobs.ts';
import { Live } from '../subscriptions/graph/live.ts';
import type { GraphGuards } from './guards.ts';

type Env = ReturnType<typeof parseEnv<typeof specification>>;

interface ProcessParts {
  env: Env;
  kit: ServiceKit;
  access: RemoteAccess;
}

/** Admits the origins that are registered with the authorization server. */
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

/** Creates the subscriptions of the graph, fed from Redis. */
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

/** The console's files or the reason why it is not served, and the manifest of its operations. */
export interface ConsoleParts {
  console: { files: ConsoleFiles; tenants: readonly string[] } | string;
  /** Path of the manifest. */
  documents?: string;
}

/** @param folder the console's folder in the release */
export async function consoleOf(env: Env, folder: string): Promise<ConsoleParts> {
  if (!env.CONSOLE) return { console: 'The console is disabled (CONSOLE).' };
  const released = await ReleasedConsole.in(folder);
  if (!released) return { console: 'This gateway was built without the console.' };
  return { console: { files: released, tenants: env.CONSOLE_TENANTS }, documents: released.documents };
}

/**
 * Returns the limits on operations that the environment configures.
 * @param consoleDocuments the manifest of the console, where it is served
 * @throws Error when the settings contradict each other
 */
export async function guardsOf(env: Env, redis: Redis, consoleDocuments?: string): Promise<GraphGuards> {
  const of = (path: string | undefined): string[] => (path === undefined ? [] : [path]);
  const paths = of(env.GRAPH_TRUSTED_DOCUMENTS);
  // Optional: an operator may serve a schema that lacks a part which the console requests.
  const optional = of(consoleDocuments);
  if (paths.length + optional.length === 0 && env.GRAPH_TRUSTED_DOCUMENTS_ONLY) {
    throw new Error('GRAPH_TRUSTED_DOCUMENTS_ONLY requires a manifest: set GRAPH_TRUSTED_DOCUMENTS.');
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
