import { type Sql, statement } from '@ostiary/database';
import type { JoiningDatabase } from '../database/data/joined-transactions.ts';
import type { Prisma, PrismaClient } from '../database/generated/client.ts';
import { encodeDates } from './domain/dates.ts';
import type { IdempotencyStore, KeyOutcome, KeyUse } from './domain/idempotency.ts';

/** Lifetime of a key, in milliseconds and as an interval of PostgreSQL. */
const rememberedMs = 24 * 3_600_000;
const remembered = '24 hours';

/** An expired key is claimed as if it were new. */
const claimKey = statement({
  name: 'idempotency.claim',
  reason: 'atomic',
  text: `INSERT INTO directory.idempotency_keys AS k (tenant, caller, key, fingerprint, created_at)
         VALUES ($tenant, $caller, $key, $fingerprint, $now::timestamptz)
         ON CONFLICT (tenant, caller, key) DO UPDATE
           SET fingerprint = excluded.fingerprint, outcome = NULL, created_at = excluded.created_at
           WHERE k.created_at <= excluded.created_at - interval '${remembered}'`,
  parameters: { tenant: 'text', caller: 'text', key: 'text', fingerprint: 'text', now: 'timestamptz' },
});

const pruneKeys = statement({
  name: 'idempotency.prune',
  reason: 'set',
  text: `DELETE FROM directory.idempotency_keys WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM directory.idempotency_keys
           WHERE created_at <= $now::timestamptz - interval '${remembered}' ORDER BY created_at LIMIT 5000))`,
  parameters: { now: 'timestamptz' },
});

/** The outcomes of idempotency keys, of all tenants. */
export class IdempotencyKeys implements IdempotencyStore {
  readonly #database: JoiningDatabase<PrismaClient>;

  constructor(database: JoiningDatabase<PrismaClient>) {
    this.#database = database;
  }

  async outcomeOf({ tenant, caller, key }: KeyUse, now: Date): Promise<KeyOutcome | undefined> {
    const prisma = await this.#database.sql.prisma();
    const found = await prisma.idempotencyKey.findUnique({
      where: {
        tenant_caller_key: { tenant, caller, key },
        createdAt: { gt: new Date(now.getTime() - rememberedMs) },
      },
      select: { fingerprint: true, outcome: true },
    });
    return found ?? undefined;
  }

  once<T extends object>(use: KeyUse, now: Date, work: () => Promise<T>): Promise<T | undefined> {
    const { tenant, caller, key, fingerprint } = use;
    return this.#database.within(async (tx) => {
      // Waits for the end of another transaction that has claimed the key.
      if ((await claimKey.count(tx, { tenant, caller, key, fingerprint, now })) === 0) return undefined;
      const outcome = await work();
      const prisma = await tx.prisma();
      await prisma.idempotencyKey.updateMany({
        where: { tenant, caller, key },
        data: { outcome: encodeDates(outcome) as Prisma.InputJsonValue },
      });
      return outcome;
    });
  }
}

/** Deletes a bounded number of expired keys. @returns the number of deleted keys */
export const pruneIdempotencyKeys = (sql: Sql, now: Date): Promise<number> => pruneKeys.count(sql, { now });
