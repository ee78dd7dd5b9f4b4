import { claimOf } from '@ostiary/access';
import type { Key } from '@ostiary/service';
import { LRUCache } from 'lru-cache';
import { knownResource } from '../../../access/index.ts';
import type { Client, SubjectIdentifier } from '../../../clients/index.ts';
import type { SessionIdentifiers } from '../../../identity/index.ts';
import {
  type LoggedRevocation,
  type LogPage,
  type LogPosition,
  type RevocationLog,
  snapshotText,
} from '../../../tenancy/index.ts';
import { cursorOf, positionOf } from './feed-cursor.ts';
import { FeedKeys } from './feed-digests.ts';
import { SharedCache } from './shared-cache.ts';

/** An API whose tokens are followed. */
export interface Followed {
  tenant: string;
  audience: string;
}

/** A page of the public feed. It is serialised once for all followers at a position. */
export interface FeedPage {
  /** JSON object without its closing brace. */
  json: Buffer;
  cursor: string;
  /** Position of the cursor. */
  next: LogPosition;
  isEmpty: boolean;
  more: boolean;
}

export interface AudienceFeedOptions {
  /** Kept key from which the keys of each audience are derived. */
  key: Key;
  /** Returns the pairwise clients of a tenant with resources of other servers. */
  pairwiseClients(tenant: string): Promise<Client[]>;
  subjectIdentifier: SubjectIdentifier;
  sessionIdentifiers: SessionIdentifiers;
  /** Counts digests before they are computed. @throws OAuthError slow_down above the limit of the tenant */
  countDigests(tenant: string, digests: number): Promise<void>;
}

/** Maximum number of revocations per page. Each is one entry, or one for each identifier that clients were given. */
const pageSize = 1_000;
const maxEntries = 5_000;
const maxCachedPages = 128;
const maxCachedKeys = 1_000;

/** Pages of the feed for each audience. */
export class AudienceFeed {
  readonly #o: AudienceFeedOptions;
  readonly #keys = new LRUCache<string, FeedKeys>({ max: maxCachedKeys });
  readonly #pages = new SharedCache<FeedPage>(maxCachedPages);
  readonly #pairwise = new SharedCache<Client[]>(maxCachedKeys);

  constructor(options: AudienceFeedOptions) {
    this.#o = options;
  }

  /** Returns the position of a cursor. @throws OAuthError invalid_request for one that was not issued for the audience */
  positionOf(of: Followed, cursor: string): LogPosition {
    return positionOf(cursor, this.#keysOf(of));
  }

  /**
   * Returns the page after a position; from the beginning without one.
   * @returns `completeAt`: time up to which the page has all entries, on the clock of the log; only for the last page
   * @throws OAuthError slow_down above the limit of the tenant; ServiceUnavailable
   */
  async page(
    log: RevocationLog,
    of: Followed,
    after: LogPosition | undefined,
  ): Promise<{ page: FeedPage; completeAt: number }> {
    const position = await log.reach(after);
    // Taken together with the entries: while a page is computed, the log may get more.
    const { generation, completeAt } = log;
    const name = JSON.stringify([of.audience, nameOf(position)]);
    const page = await this.#pages.get(of.tenant, name, generation, async () => {
      const found = log.after(position, pageSize);
      const pairwise = found.entries.some(differsByClient) ? await this.#pairwiseFor(of, generation) : [];
      const most = Math.max(1, Math.floor(maxEntries / (1 + pairwise.length)));
      return this.#computed(of, found.entries.length > most ? found.shorter(most) : found, pairwise);
    });
    return { page, completeAt };
  }

  async #computed(of: Followed, { entries, next, more }: LogPage, pairwise: Client[]): Promise<FeedPage> {
    if (entries.length > 0) await this.#o.countDigests(of.tenant, entries.length * (1 + pairwise.length));
    const keys = this.#keysOf(of);
    const cursor = cursorOf(next, keys);
    const content = {
      audience: of.audience,
      digest_key: keys.digestKey.toString('base64url'),
      entries: this.#published(entries, pairwise, keys),
      cursor,
      more,
    };
    const json = Buffer.from(JSON.stringify(content).slice(0, -1));
    return { json, cursor, next, isEmpty: entries.length === 0, more };
  }

  #keysOf({ tenant, audience }: Followed): FeedKeys {
    const name = JSON.stringify([tenant, audience]);
    const keys = this.#keys.get(name) ?? new FeedKeys(this.#o.key(), tenant, audience);
    this.#keys.set(name, keys);
    return keys;
  }

  #published(entries: readonly LoggedRevocation[], pairwise: readonly Client[], keys: FeedKeys): object[] {
    return entries.flatMap((entry): object[] => {
      const kind = claimOf[entry.kind];
      const ending = {
        ...(entry.epoch === undefined ? {} : { epoch: entry.epoch }),
        expires_at: entry.expiresAt,
      };
      if (kind === 'tenant') return [{ kind, ...ending }];
      const values = new Set([entry.key, ...pairwise.map((client) => this.#valueFor(client, entry))]);
      return [...values].map((value) => ({ kind, digest: keys.digest(kind, value), ...ending }));
    });
  }

  /** Returns the value of the claim in tokens of a client. */
  #valueFor(client: Client, { kind, key }: LoggedRevocation): string {
    if (kind === 'subject') return this.#o.subjectIdentifier(client, key);
    return kind === 'session' ? this.#o.sessionIdentifiers.tell(client, key) : key;
  }

  /**
   * Returns the pairwise clients with tokens for an audience. They are read after the entries were committed: a client
   * that gets the resource later has no earlier tokens, and the tokens of one that lost it, or that has other
   * identifiers now, are revoked by an entry of the client.
   */
  async #pairwiseFor({ tenant, audience }: Followed, generation: number): Promise<Client[]> {
    const clients = await this.#pairwise.get(tenant, 'clients', generation, () =>
      this.#o.pairwiseClients(tenant),
    );
    return clients.filter(({ resources }) => knownResource(audience, resources) !== undefined);
  }
}

/** Kinds whose values differ between clients. */
const differsByClient = ({ kind }: LoggedRevocation): boolean => kind === 'subject' || kind === 'session';

/** Returns a name of a position; the cursors of a position are different texts. */
const nameOf = ({ cluster, since, page }: LogPosition): string =>
  [cluster, snapshotText(since), ...(page ? [snapshotText(page.until), page.xid, page.seq] : [])].join(' ');
