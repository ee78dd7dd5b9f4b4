import type { Cluster, Redis as RedisServer } from 'ioredis';

/** One server, or the primary of a group under Sentinels. */
export type { Redis as RedisServer } from 'ioredis';
/** A connection to Redis or Valkey, however it is run. */
export type Redis = RedisServer | Cluster;
