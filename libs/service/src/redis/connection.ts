import type { Cluster, Redis as RedisServer } from 'ioredis';

/** One server, or the primary of a group with Sentinels. */
export type { Redis as RedisServer } from 'ioredis';
/** A connection to Redis or Valkey in any mode. */
export type Redis = RedisServer | Cluster;
