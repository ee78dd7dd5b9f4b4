import { Cluster, type RedisOptions, Redis as Server } from 'ioredis';
import type { Logger } from '../kit/log.ts';
import { parseRedisAddress, type RedisAddress } from '../kit/redis-address.ts';
import type { Redis } from './connection.ts';
import { followLogin } from './followed-login.ts';
import { PrimaryConnector } from './sentinel-connector.ts';

export interface RedisClientOptions {
  /** Shown in `CLIENT LIST` and in the log. */
  name: string;
  log: Logger;
  /** For blocking reads, of `longestBlockMs` at most, and workers: commands wait for the connection instead of failing. */
  blocking?: boolean;
}

/** How long a command may wait on the server for something to come, in ms. */
export const longestBlockMs = 5_000;
/** How long an answer may take, in ms. */
const answerMs = 2_000;
/**
 * How much longer a connection that owes an answer may be silent before it is taken for lost, in ms. One that a firewall forgot, or whose machine
 * is gone, is closed by nobody: the system would go on sending for a quarter of an hour, and what only waits would wait for good.
 */
const silentMs = 1_500;
/** After which time without traffic the system asks whether the other end is still there: sooner than firewalls forget a connection. */
const keepAliveAfterMs = 10_000;

/**
 * How often a cluster is asked who has which slots, in ms. A node that is dead answers nothing, and one that hangs says nothing about who has
 * taken over from it.
 */
const slotsEveryMs = 5_000;
/** How soon a Sentinel that was lost is listened to again, in ms. */
const sentinelsEveryMs = 5_000;
/** Sentinels that are listened to; each connection does. */
const mostSentinels = 3;

/**
 * A Redis or Valkey connection that heals by itself, also when another server takes over. By default a command fails at once
 * while there is no connection: a request should answer 503, not hang.
 * @param url REDIS_URL @throws RedisAddressError
 */
export function createRedis(url: string, options: RedisClientOptions): Redis {
  const redis = connect(parseRedisAddress(url), options);
  followLogin(redis, url);
  let reported = false;
  redis.on('error', (error: Error) => {
    // One line an outage, not one a retry.
    if (!reported)
      options.log.warn(
        { event: 'redis.connection_lost', redis: options.name, reason: error.message },
        'Redis connection lost',
      );
    reported = true;
  });
  redis.on('ready', () => {
    if (reported)
      options.log.info(
        { event: 'redis.connection_restored', redis: options.name },
        'Redis connection restored',
      );
    reported = false;
  });
  return redis;
}

function connect(address: RedisAddress, options: RedisClientOptions): Redis {
  const common = { ...commandOptions(options), ...loginOptions(address) };
  const retryStrategy = (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 6), 2_000);
  const enableOfflineQueue = options.blocking ?? false;
  if (address.mode === 'cluster') {
    return new Cluster([...address.hosts], {
      clusterRetryStrategy: retryStrategy,
      enableOfflineQueue,
      slotsRefreshInterval: slotsEveryMs,
      // Certificates are for names, so names stay names.
      dnsLookup: (name, callback) => callback(null, name),
      redisOptions: common,
    });
  }
  const single = { ...common, retryStrategy, enableOfflineQueue, db: address.db };
  if (address.mode === 'sentinel') return new Server({ ...single, ...sentinelOptions(address) });
  return new Server({ ...single, ...address.hosts[0] });
}

/** What is the same wherever commands are sent. */
const commandOptions = ({ name, blocking = false }: RedisClientOptions) => ({
  connectionName: `ostiary:${name}`,
  maxRetriesPerRequest: blocking ? null : 1,
  connectTimeout: 2_000,
  keepAlive: keepAliveAfterMs,
  socketTimeout: (blocking ? longestBlockMs : answerMs) + silentMs,
  // A server that was the primary a moment ago: the next connection leads to the one that is.
  reconnectOnError: (error: Error) => /\bREADONLY\b/.test(error.message),
  ...(blocking ? {} : { commandTimeout: answerMs }),
});

/** How to log in, and whether over TLS. */
export const loginOptions = ({
  username,
  password,
  tls,
}: Pick<RedisAddress, 'username' | 'password' | 'tls'>) =>
  ({
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls !== undefined && { tls: { ...tls } }),
  }) satisfies RedisOptions;

function sentinelOptions(address: Extract<RedisAddress, { mode: 'sentinel' }>) {
  const { sentinel, tls } = address;
  return {
    Connector: PrimaryConnector,
    sentinels: [...address.hosts],
    name: address.master,
    role: 'master',
    ...(sentinel.username !== undefined && { sentinelUsername: sentinel.username }),
    ...(sentinel.password !== undefined && { sentinelPassword: sentinel.password }),
    ...(tls !== undefined && { sentinelTLS: { ...tls }, enableTLSForSentinelMode: true }),
    sentinelRetryStrategy: (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 5), 1_000),
    sentinelCommandTimeout: 1_000,
    // A primary that hangs keeps its connections: the Sentinels say that another has taken over.
    failoverDetector: true,
    // One that was restarted is listened to again soon: while nobody is, nobody hears that the primary was replaced.
    sentinelReconnectStrategy: () => sentinelsEveryMs,
    sentinelMaxConnections: mostSentinels,
  } satisfies RedisOptions;
}

/** Resolves once the connection is usable, or rejects after `timeoutMs` or when it is given up. */
export async function redisReady(redis: Redis, timeoutMs = 5_000): Promise<void> {
  if (redis.status === 'ready') return;
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: Error): void => {
      clearTimeout(timer);
      redis.off('ready', onReady).off('end', onEnd);
      if (error) reject(error);
      else resolve();
    };
    const onReady = () => settle();
    const onEnd = () => settle(new Error('The connection to Redis was given up'));
    const timer = setTimeout(() => settle(new Error('Redis did not become ready in time')), timeoutMs);
    redis.once('ready', onReady).once('end', onEnd);
  });
}
