import { type Connected, statement } from '@ostiary/database';
import type { Prisma, PrismaClient } from '../database/generated/client.ts';
import { encodeDates } from './domain/dates.ts';
import type { KeyOutcome, KeyUse } from './domain/idempotency.ts';

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
export class IdempotencyKeys {
  readonly #sql: Connected<PrismaClient>;

  /** @param sql a transaction, to claim a key and to store its outcome */
  constructor(sql: Connected<PrismaClient>) {
    this.#sql = sql;
  }

  async find({ tenant, caller, key }: KeyUse, now: Date): Promise<KeyOutcome | undefined> {
    const prisma = await this.#sql.prisma();
    const found = await prisma.idempotencyKey.findUnique({
      where: {
        tenant_caller_key: { tenant, caller, key },
        createdAt: { gt: new Date(now.getTime() - rememberedMs) },
      },
      select: { fingerprint: true, outcome: true },
    });
    return found ?? undefined;
  }

  /**
   * Claims the key for this transaction, after the end of another transaction that has it.
   * @returns false when another one has claimed it permanently
   */
  async claim({ tenant, caller, key, fingerprint }: KeyUse, now: Date): Promise<boolean> {
    return (await claimKey.count(this.#sql, { tenant, caller, key, fingerprint, now })) > 0;
  }

  async keep({ tenant, caller, key }: KeyUse, outcome: object): Promise<void> {
    const prisma = await this.#sql.prisma();
    await prisma.idempotencyKey.updateMany({
      where: { tenant, caller, key },
      data: { outcome: encodeDates(outcome) as Prisma.InputJsonValue },
    });
  }

  /** Deletes a bounded number of expired keys. */
  prune(now: Date): Promise<number> {
    return pruneKeys.count(this.#sql, { now });
  }
}
