import {
  type Revocation,
  type RevocationList,
  type RevocationPage,
  revocationStream,
  signedEntry,
} from '@ostiary/access';
import type { Sql } from '@ostiary/database';
import { isMalformedKey, type Logger, type Redis, type Signatures } from '@ostiary/service';
import type { Connection } from '../../../platform/database/data/connection.ts';
import type { NewRevocation, RevocationJournal } from '../domain/revocation-feed.ts';
import type { TenantReading } from '../domain/revocation-log.ts';
import { appendRevocations, revocationPage } from './revocations.ts';
import { readTenantFeed } from './tenant-feed.ts';

export interface RevocationJournalOptions {
  sql: Connection;
  /** Rejects answers that missed offboarding events could make wrong (`DirectoryContinuity`). */
  continuity: { during<T>(read: () => Promise<T>): Promise<T> };
  redis: Redis;
  prefix: string;
  signatures: Signatures;
  list: RevocationList;
  accessTokenSeconds: number;
  log: Logger;
}

/**
 * Approximate maximum length of the stream. It only bridges short interruptions of verifiers; the feed is in
 * PostgreSQL.
 */
const streamLength = 10_000;
/** Maximum number of entries per message. */
const batch = 500;

/** Feed of revocations: durable in PostgreSQL, and pushed on a Redis stream. */
export class PostgresRevocationJournal implements RevocationJournal {
  readonly #o: RevocationJournalOptions;
  readonly #stream: string;

  constructor(o: RevocationJournalOptions) {
    this.#o = o;
    this.#stream = revocationStream(o.prefix);
  }

  append(tx: Sql, entries: readonly NewRevocation[], reason?: string): Promise<Revocation[]> {
    return appendRevocations(tx, entries, reason, this.#o.accessTokenSeconds);
  }

  async publish(entries: readonly Revocation[]): Promise<boolean> {
    if (entries.length === 0) return true;
    this.#o.list.apply(entries);
    try {
      for (let start = 0; start < entries.length; start += batch) {
        await this.#add('entries', JSON.stringify(entries.slice(start, start + batch).map(withoutReason)));
      }
      return true;
    } catch (error) {
      // The entries are committed: verifiers read them with their next pull.
      this.#o.log.warn(
        { event: 'revocations.push_failed', err: error },
        'Revocations could not be pushed; verifiers pull them',
      );
      return false;
    }
  }

  page(after?: string): Promise<RevocationPage> {
    return this.#o.continuity.during(() => revocationPage(this.#o.sql, after));
  }

  ofTenant(tenant: string, since: Parameters<RevocationJournal['ofTenant']>[1]): Promise<TenantReading> {
    return this.#o.continuity.during(() => readTenantFeed(this.#o.sql, tenant, since));
  }

  heartbeat(maxSeq: string): Promise<void> {
    return this.#add('maxSeq', maxSeq);
  }

  /**
   * Deletes and restarts a stream that rejects new entries. Its entries are in the feed, and every reader continues
   * there.
   */
  async #add(field: 'entries' | 'maxSeq', value: string): Promise<void> {
    try {
      await this.#append(field, value);
    } catch (error) {
      if (!isMalformedKey(error)) throw error;
      await this.#o.redis.unlink(this.#stream);
      await this.#append(field, value);
    }
  }

  #append(field: 'entries' | 'maxSeq', value: string): Promise<unknown> {
    const { redis, signatures, prefix } = this.#o;
    const entry = signedEntry(signatures, prefix, field, value);
    return redis.xadd(this.#stream, 'MAXLEN', '~', streamLength, '*', ...entry);
  }
}

const withoutReason = ({ seq, tenant, kind, key, epoch, expiresAt }: Revocation): Revocation => ({
  seq,
  tenant,
  kind,
  key,
  expiresAt,
  ...(epoch === undefined ? {} : { epoch }),
});
