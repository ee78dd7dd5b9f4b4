import type { Database } from '@ostiary/database';
import type { Redis, ServiceKit } from '@ostiary/service';
import type { AuthEnv } from '../env.ts';
import type { PrismaClient } from './database/generated/client.ts';
import { RedisAttempts } from './limits/data/attempts.ts';
import { PostgresGuesses } from './limits/data/guesses.ts';
import type { Attempts, Guesses } from './limits/domain/attempts.ts';
import type { TenantChanges } from './memory/domain/tenant-changes.ts';
import { HeardTenantChanges } from './memory/tenant-changes.data.ts';

/** Dependencies of every district, built by `main.ts` or a test. */
export interface Process {
  kit: ServiceKit;
  env: AuthEnv;
  database: Database<PrismaClient>;
  redis: Redis;
}

export interface Platform {
  /** Invalidates cached tenants, clients and keys. */
  tenantChanges: TenantChanges;
  attempts: Attempts;
  guesses: Guesses;
}

export const createPlatform = ({ kit, env, database, redis }: Process): Platform => ({
  tenantChanges: new HeardTenantChanges({ sql: database.sql, clock: kit.clock }),
  attempts: new RedisAttempts(redis, env.REDIS_PREFIX),
  guesses: new PostgresGuesses(database.sql),
});
