import { type Revocation, type RevocationList, type RevocationPage, revocationStream } from '@ostiary/access';
import type { Sql } from '@ostiary/database';
import type { Logger, Redis } from '@ostiary/service';
import type { RevocationFeed } from '../domain/ports.ts';
import { appendRevocations, lastRevocation, revocationPage } from './revocations.ts';

export interface RevocationJournal extends RevocationFeed {
  /** A page of the durable feed from a cursor on; from the beginning without one. */
  page(after?: string): Promise<RevocationPage>;
  /** Tells verifiers how far the feed goes, so that they notice what they missed. */
  heartbeat(): Promise<void>;
}

export interface RevocationJournalOptions {
  sql: Sql;
  redis: Redis;
  prefix: string;
  list: RevocationList;
  log: Logger;
}

/** Messages the stream keeps, roughly: it only has to bridge a verifier's blink, the feed itself is in PostgreSQL. */
const streamLength = 10_000;
/** Entries in one message. */
const batch = 500;

export function createRevocationJournal(o: RevocationJournalOptions): RevocationJournal {
  const stream = revocationStream(o.prefix);
  const add = (field: string, value: string): Promise<unknown> =>
    o.redis.xadd(stream, 'MAXLEN', '~', streamLength, '*', field, value);

  return {
    append: (tx, entries, reason) => appendRevocations(tx, entries, reason),
    async publish(entries) {
      if (entries.length === 0) return;
      o.list.apply(entries);
      try {
        for (let start = 0; start < entries.length; start += batch) {
          await add('entries', JSON.stringify(entries.slice(start, start + batch).map(withoutReason)));
        }
      } catch (error) {
        // The entries are committed: verifiers find them with their next pull.
        o.log.warn({ err: error }, 'revocations could not be pushed; verifiers will pull them');
      }
    },
    page: (after) => revocationPage(o.sql, after),
    async heartbeat() {
      await add('maxSeq', await lastRevocation(o.sql));
    },
  };
}

const withoutReason = ({ seq, tenant, kind, key, epoch, expiresAt }: Revocation): Revocation => ({
  seq,
  tenant,
  kind,
  key,
  expiresAt,
  ...(epoch === undefined ? {} : { epoch }),
});
