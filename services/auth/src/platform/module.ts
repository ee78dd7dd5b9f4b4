import { DpopProofs, issuerOf, proofAllowance } from '@ostiary/access';
import type { Database } from '@ostiary/database';
import {
  createSafeFetch,
  createSafePost,
  dpopNonceKeys,
  type OutgoingPolicy,
  type Redis,
  type ServiceKit,
} from '@ostiary/service';
import type { AuthEnv } from '../env.ts';
import { postgresSecurityLog } from './audit/security-log.data.ts';
import type { PrismaClient } from './database/generated/client.ts';
import { RedisAttempts } from './limits/data/attempts.ts';
import { PostgresGuesses } from './limits/data/guesses.ts';
import type { Attempts, Guesses } from './limits/domain/attempts.ts';
import { HeardTenantChanges } from './memory/tenant-changes.data.ts';

/** Dependencies of every district, built by `main.ts` or a test. */
export interface Process {
  kit: ServiceKit;
  env: AuthEnv;
  database: Database<PrismaClient>;
  redis: Redis;
}

export type Platform = ReturnType<typeof createPlatform>;

export function createPlatform({ kit, env, database, redis }: Process) {
  const outgoingPolicy: OutgoingPolicy = {
    allowPrivate: env.OUTGOING_ALLOW_PRIVATE,
    allowHttp: env.NODE_ENV !== 'production',
  };
  const attempts: Attempts = new RedisAttempts(redis, env.REDIS_PREFIX);
  const guesses: Guesses = new PostgresGuesses(database.sql);
  return {
    /** Invalidates cached tenants, clients and keys. */
    tenantChanges: new HeardTenantChanges({ sql: database.sql, clock: kit.clock }),
    attempts,
    guesses,
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
}
