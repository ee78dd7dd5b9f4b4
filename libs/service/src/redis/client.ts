import { Cluster, type RedisOptions, Redis as Server } from 'ioredis';
import type { Logger } from '../kit/log.ts';
import { parseRedisAddress, type RedisAddress } from '../kit/redis-address.ts';
import type { Redis } from './connection.ts';
import { followLogin } from './followed-login.ts';
import { PrimaryConnector } from './sentinel-connector.ts';

export interface RedisClientOptions {
  /** Name in `CLIENT LIST` and in the log. */
  name: string;
  log: Logger;
  /**
   * For blocking reads of at most `maxBlockMs`, and workers: commands wait for the connection instead of
   * failing.
   */
  blocking?: boolean;
}

/** Maximum time in ms that a command may block on the server. */
export const maxBlockMs = 5_000;
/** Timeout of a response in ms. */
const answerMs = 2_000;
/**
 * Additional time in ms after which a connection with a pending response counts as lost. A connection that a
 * firewall dropped, or whose machine is gone, is never closed: the system would resend for a quarter of an
 * hour, and blocked reads would wait indefinitely.
 */
const silentMs = 1_500;
/** Idle time in ms before TCP probes (`SO_KEEPALIVE`), shorter than the timeouts of firewalls. */
const keepAliveAfterMs = 10_000;

/**
 * Refresh interval of a cluster's slots in ms. A failed node does not respond, and a hanging one does not
 * report its replacement.
 */
const slotsEveryMs = 5_000;
/** Reconnect interval of a lost Sentinel in ms. */
const sentinelsEveryMs = 5_000;
/** Maximum number of Sentinels to which each connection subscribes. */
const maxSentinels = 3;

/**
 * Creates a Redis or Valkey connection that reconnects automatically, also after a failover. By default a
 * command fails immediately without a connection, so that requests return 503 instead of hanging.
 * @param url REDIS_URL @throws RedisAddressError
 */
export function createRedis(url: string, options: RedisClientOptions): Redis {
  const redis = connect(parseRedisAddress(url), options);
  followLogin(redis, url);
  let reported = false;
  redis.on('error', (error: Error) => {
    // One log line per outage, not per retry.
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
      // Certificates are issued for names, so names are not resolved here.
      dnsLookup: (name, callback) => callback(null, name),
      redisOptions: common,
    });
  }
  const single = { ...common, retryStrategy, enableOfflineQueue, db: address.db };
  if (address.mode === 'sentinel') return new Server({ ...single, ...sentinelOptions(address) });
  return new Server({ ...single, ...address.hosts[0] });
}

/** Options of every connection that sends commands. */
const commandOptions = ({ name, blocking = false }: RedisClientOptions) => ({
  connectionName: `ostiary:${name}`,
  maxRetriesPerRequest: blocking ? null : 1,
  connectTimeout: 2_000,
  keepAlive: keepAliveAfterMs,
  socketTimeout: (blocking ? maxBlockMs : answerMs) + silentMs,
  // A server that is no longer the primary: reconnecting leads to the new one.
  reconnectOnError: (error: Error) => /\bREADONLY\b/.test(error.message),
  ...(blocking ? {} : { commandTimeout: answerMs }),
});

/** Returns credentials and TLS options. */
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
    // A hanging primary keeps its connections; Sentinels report its replacement.
    failoverDetector: true,
    // Resubscribes to a restarted Sentinel soon, because without a subscription a failover goes unnoticed.
    sentinelReconnectStrategy: () => sentinelsEveryMs,
    sentinelMaxConnections: maxSentinels,
  } satisfies RedisOptions;
}

/** Resolves once the connection is usable. Rejects after `timeoutMs`, or when the connection is closed. */
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
    const onEnd = () => settle(new Error('The connection to Redis was abandoned'));
    const timer = setTimeout(() => settle(new Error('Redis did not become ready in time')), timeoutMs);
    redis.once('ready', onReady).once('end', onEnd);
  });
}
