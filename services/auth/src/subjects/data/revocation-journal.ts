import {
  type Revocation,
  type RevocationList,
  type RevocationPage,
  revocationStream,
  signedEntry,
} from '@ostiary/access';
import type { Sql } from '@ostiary/database';
import { isSpoilt, type Logger, type Redis, type Signatures } from '@ostiary/service';
import type { Continuity } from '../../directory-events/data/index.ts';
import type { RevocationFeed } from '../domain/revocation-feed.ts';
import { appendRevocations, lastRevocation, revocationPage } from './revocations.ts';

export interface RevocationJournal extends RevocationFeed {
  /**
   * A page of the durable feed from a cursor on; from the beginning without one. Who reads it may rely on it, so there is none
   * while there may be departures that nobody here has heard of. @throws ServiceUnavailable
   */
  page(after?: string): Promise<RevocationPage>;
  /** Tells verifiers how far the feed goes, so that they notice what they missed. */
  heartbeat(): Promise<void>;
}

export interface RevocationJournalOptions {
  sql: Sql;
  continuity: Continuity;
  redis: Redis;
  prefix: string;
  signatures: Signatures;
  list: RevocationList;
  accessTokenSeconds: number;
  log: Logger;
}

/** Messages the stream keeps, roughly: it only has to bridge a verifier's blink, the feed itself is in PostgreSQL. */
const streamLength = 10_000;
/** Entries in one message. */
const batch = 500;

export function createRevocationJournal(o: RevocationJournalOptions): RevocationJournal {
  const stream = revocationStream(o.prefix);
  const append = (field: 'entries' | 'maxSeq', value: string): Promise<unknown> =>
    o.redis.xadd(
      stream,
      'MAXLEN',
      '~',
      streamLength,
      '*',
      ...signedEntry(o.signatures, o.prefix, field, value),
    );

  /** A stream that takes no more begins anew: what was in it is in the feed, and every reader looks there. */
  async function add(field: 'entries' | 'maxSeq', value: string): Promise<void> {
    try {
      await append(field, value);
    } catch (error) {
      if (!isSpoilt(error)) throw error;
      await o.redis.unlink(stream);
      await append(field, value);
    }
  }

  return {
    append: (tx, entries, reason) => appendRevocations(tx, entries, reason, o.accessTokenSeconds),
    async publish(entries) {
      if (entries.length === 0) return true;
      o.list.apply(entries);
      try {
        for (let start = 0; start < entries.length; start += batch) {
          await add('entries', JSON.stringify(entries.slice(start, start + batch).map(withoutReason)));
        }
        return true;
      } catch (error) {
        // The entries are committed: verifiers find them with their next pull.
        o.log.warn({ err: error }, 'revocations could not be pushed; verifiers will pull them');
        return false;
      }
    },
    page: (after) => o.continuity.during(() => revocationPage(o.sql, after)),
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
