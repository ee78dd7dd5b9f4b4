import { type Client, protectedResourcesOf } from '../../../clients/index.ts';
import { invalidClient, invalidTarget } from '../../../platform/index.ts';
import type { LogPosition, RevocationLog, RevocationLogs } from '../../../tenancy/index.ts';
import type { AudienceFeed } from './audience-feed.ts';
import type { FollowerActivity, FollowerNote } from './follower-activity.ts';
import type { Followers, Held } from './followers.ts';

/** A request of an authenticated client. */
export interface FeedRequest {
  client: Client;
  /** Resource that the client serves. */
  audience: string;
  after: string | undefined;
  /** Aborted when the connection is closed. */
  gone: AbortSignal;
}

export interface FeedTimes {
  /** Interval in milliseconds of events without entries, from which a follower computes the age of its list. */
  eventMs: number;
  /** Maximum duration of a stream in milliseconds; the follower then authenticates again. */
  streamMs: number;
}

export interface PublicFeedOptions {
  logs: RevocationLogs;
  pages: AudienceFeed;
  followers: Followers;
  followerActivity: FollowerActivity;
  clients: {
    record(
      tenant: string,
      clientId: string,
    ): Promise<{ client: Client; secrets: readonly { expiresAt: number | null }[] } | null>;
  };
  issuer: (tenant: string) => string;
  /** Clock of the logs, in milliseconds. */
  monotonic: () => number;
  /** Wall clock in milliseconds. */
  clock: () => number;
  times?: Partial<FeedTimes>;
}

const usualTimes: FeedTimes = { eventMs: 2_000, streamMs: 60_000 };

/**
 * Receives an event and resolves when the connection can take another one.
 * @param over aborted when the stream ends, whether or not the client reads
 */
export type SendEvent = (
  event: { id: string; data: Buffer; rest: string },
  over: AbortSignal,
) => Promise<void>;

const followedBy = ({ client: { tenant, clientId }, audience }: FeedRequest) => ({
  tenant,
  clientId,
  audience,
});

const joined = (json: Buffer, rest: string): Buffer => Buffer.concat([json, Buffer.from(rest)]);

/** The revocation feed for resource servers of a tenant, with pseudonyms instead of identifiers. */
export class PublicFeed {
  readonly #o: PublicFeedOptions;
  readonly #times: FeedTimes;

  constructor(options: PublicFeedOptions) {
    this.#o = options;
    this.#times = { ...usualTimes, ...options.times };
  }

  /**
   * Returns a page as JSON. With a cursor, a page without entries is held until there are some, or the time is over.
   * @throws OAuthError invalid_request for a foreign cursor; slow_down, temporarily_unavailable above the limits;
   * invalid_client, invalid_target when the client loses access in the meantime; ServiceUnavailable
   */
  page(request: FeedRequest, waitMs: number): Promise<Buffer> {
    const { logs, monotonic } = this.#o;
    const arrivedAt = monotonic();
    return logs.use(request.client.tenant, async (log) => {
      const after = this.#positionOf(request);
      const { json, rest, isDue, more } = await this.#read(log, request, after, arrivedAt);
      if (isDue || waitMs <= 0 || after === undefined) {
        if (!more) this.#o.followerActivity.answered(followedBy(request));
        return joined(json, rest);
      }
      return this.#held(log, request, arrivedAt + waitMs, async (held, endsAt) => {
        for (;;) {
          // The client is checked first: the page is for its current rights.
          const isEnding = await this.#isEnding(log, request, held);
          const next = await this.#read(log, request, after, arrivedAt);
          if (isEnding || next.isDue || this.#isOver(request, endsAt)) return joined(next.json, next.rest);
          await held.wake.wait(endsAt - monotonic());
        }
      });
    });
  }

  /**
   * Sends pages as events until the connection is closed, the stream's time is over or the client loses access.
   * @throws as `page`; after the first event, the caller ends the stream
   */
  stream(request: FeedRequest, send: SendEvent): Promise<void> {
    const { logs, monotonic } = this.#o;
    const arrivedAt = monotonic();
    return logs.use(request.client.tenant, (log) =>
      this.#held(log, request, arrivedAt + this.#times.streamMs, async (held, endsAt, note) => {
        const time = AbortSignal.timeout(Math.max(0, Math.ceil(endsAt - monotonic())));
        const over = AbortSignal.any([request.gone, this.#o.followers.released, time]);
        for (let after = this.#positionOf(request); ; ) {
          // A client that does not read its stream lags from here on.
          note.behind();
          const isEnding = await this.#isEnding(log, request, held);
          const { json, rest, cursor, next, more } = await this.#read(log, request, after, arrivedAt);
          await send({ id: cursor, data: json, rest }, over);
          if (!more && !over.aborted) note.caughtUp();
          // A timer can fire before its time by the clock; a client that does not read would get pages until then.
          if (isEnding || over.aborted || this.#isOver(request, endsAt)) return;
          after = next;
          if (!more) await held.wake.wait(Math.min(this.#times.eventMs, endsAt - monotonic()));
        }
      }),
    );
  }

  #positionOf({ client, audience, after }: FeedRequest): LogPosition | undefined {
    if (after === undefined) return undefined;
    return this.#o.pages.positionOf({ tenant: client.tenant, audience }, after);
  }

  /** @returns `isDue`: the page is sent without waiting */
  async #read(
    log: RevocationLog,
    { client, audience }: FeedRequest,
    after: LogPosition | undefined,
    arrivedAt: number,
  ) {
    const { page, completeAt } = await this.#o.pages.page(log, { tenant: client.tenant, audience }, after);
    const { json, cursor, next, more, isEmpty } = page;
    const complete = more ? '' : `,"complete_after_ms":${Math.floor(completeAt - arrivedAt)}`;
    return { json, rest: `${complete}}`, cursor, next, more, isDue: more || !isEmpty };
  }

  #isOver({ gone }: FeedRequest, endsAt: number): boolean {
    const { followers, monotonic } = this.#o;
    return gone.aborted || followers.released.aborted || monotonic() >= endsAt;
  }

  #held<T>(
    log: RevocationLog,
    request: FeedRequest,
    endsAt: number,
    work: (held: Held, endsAt: number, note: FollowerNote) => Promise<T>,
  ): Promise<T> {
    const { client, gone } = request;
    return this.#o.followers.hold(client, gone, async (held) => {
      const stop = log.onEntries(() => held.wake.poke());
      const note = this.#o.followerActivity.hold(followedBy(request));
      try {
        return await work(held, Math.min(endsAt, await this.#secretsEndAt(client)), note);
      } finally {
        note.end();
        stop();
      }
    });
  }

  /** Returns the time at which a secret of the client expires: the client may have used it for the request. */
  async #secretsEndAt({ tenant, clientId }: Client): Promise<number> {
    const { clients, clock, monotonic } = this.#o;
    const { secrets = [] } = (await clients.record(tenant, clientId)) ?? {};
    const ends = secrets.flatMap(({ expiresAt }) => expiresAt ?? []);
    return Math.min(...ends) - clock() + monotonic();
  }

  /**
   * Checks the registration after a change.
   * @returns whether the follower must authenticate again
   * @throws OAuthError when the client may no longer follow the audience
   */
  async #isEnding(log: RevocationLog, { client, audience }: FeedRequest, held: Held): Promise<boolean> {
    if (!held.hasChanged) return false;
    held.hasChanged = false;
    const { tenant, clientId, version } = client;
    const current = (await this.#o.clients.record(tenant, clientId))?.client;
    // The follower still receives the entries with which the suspension revokes everything.
    if (current?.suspended) {
      await log.read();
      return true;
    }
    if (!current || current.disabled || current.type !== 'confidential')
      throw invalidClient('client ended while it followed the feed', { realm: this.#o.issuer(tenant) });
    if (!protectedResourcesOf(current).includes(audience))
      throw invalidTarget('audience must be one of the protected resources of the client.');
    return current.version !== version;
  }
}
