import { createRedis, type Logger, type Redis, type Signatures } from '@ostiary/service';
import {
  type Revocation,
  type RevocationList,
  type RevocationPage,
  revocationStream,
} from './revocations.ts';

export interface FollowerOptions {
  list: RevocationList;
  redisUrl: string;
  prefix: string;
  /** With STREAM_KEY; unsigned entries are ignored. */
  signatures: Signatures;
  /** Reads the durable feed from a cursor, or from the start without one. */
  pull: (after?: string, waiting?: Waiting) => Promise<RevocationPage>;
  log: Logger;
  /** Milliseconds of this process; may be monotonic. */
  clock: () => number;
  /** Minimum interval in milliseconds between the starts of two pulls, default 1,000. */
  pullEveryMs?: number;
  /** Seconds that a pull may wait for new entries, default 0. */
  waitSeconds?: number;
}

/** A pull whose response may be delayed until there is a new entry. */
export interface Waiting {
  seconds: number;
  /** Aborted when the response is no longer needed. */
  signal: AbortSignal;
}

/** Maximum time in ms that a read of the stream blocks. */
const blockMs = 4_000;

interface AskedPage {
  page: RevocationPage;
  askedAt: number;
}

/** Returns the fields of a stream entry, with its MAC. @param field `entries` or `maxSeq` */
export const signedEntry = (
  signatures: Signatures,
  prefix: string,
  field: 'entries' | 'maxSeq',
  value: string,
): [string, string, string, string] => [
  field,
  value,
  'mac',
  signatures.sign('revocations', revocationStream(prefix), `${field}=${value}`),
];

/**
 * Keeps a RevocationList complete. The Redis stream delivers entries within milliseconds. The pull is
 * authoritative: it finds entries missing from the stream after a crash between commit and publication, a
 * flush of Redis, or a lost connection. One pull is always pending at a server that waits for new entries,
 * otherwise there is one per second; an unknown position in the stream triggers one that does not wait. Only
 * a pull makes the list fresh.
 */
export class RevocationFollower {
  readonly #options: FollowerOptions;
  #stopped = false;
  #stream: Redis | undefined;
  #cursor: string | undefined;
  /** Start of the first of several pages while later ones are pending. */
  #begunAt: number | undefined;
  #known = 0n;
  #pulling: Promise<void> | undefined;
  /** Aborts a pull that waits at the server. */
  #waiting: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  #failed = false;
  #refused = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Starts following and returns immediately. The list is stale until the first pull succeeds. */
  start(): void {
    this.#stream = createRedis(this.#options.redisUrl, {
      name: 'revocations',
      log: this.#options.log,
      blocking: true,
    });
    this.#reading = this.#read(this.#stream);
    this.#schedule(0);
  }

  /** Reports whether the stream is connected. */
  get streaming(): boolean {
    return this.#stream?.status === 'ready';
  }

  /** Highest position in the feed that a pull returned, decimal. */
  get maxSeq(): string {
    return this.#known.toString();
  }

  /**
   * Resolves after a pull that started after the call: the list then contains everything revoked before it.
   */
  async refresh(): Promise<void> {
    this.#waiting?.abort();
    await this.#pulling?.catch(() => undefined);
    await this.#pullOnce(false);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#waiting?.abort();
    this.#stream?.disconnect();
    // A read that waits for a connection just being re-established never ends; nothing depends on it.
    await Promise.race([this.#reading, new Promise((resolve) => setTimeout(resolve, 250).unref())]);
    await this.#pulling?.catch(() => undefined);
  }

  #schedule(delay: number): void {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const begunAt = performance.now();
      // After a failure the next page is needed immediately, whether or not there are new entries.
      void this.#pullOnce(!this.#failed)
        .then(
          () => this.#report(false),
          (error: unknown) => this.#report(true, error),
        )
        .finally(() => {
          const { pullEveryMs = 1_000 } = this.#options;
          const rest = pullEveryMs - (performance.now() - begunAt);
          this.#schedule(this.#failed ? Math.min(pullEveryMs, 250) : Math.max(0, rest));
        });
    }, delay);
  }

  /** Makes the next response immediate, because there may be new entries. */
  #hasten(): void {
    if (this.#waiting) this.#waiting.abort();
    else this.#schedule(0);
  }

  #report(failed: boolean, error?: unknown): void {
    if (failed && !this.#failed && !this.#stopped) {
      this.#options.log.warn(
        { event: 'revocation_feed.unreadable', err: error },
        'Revocation feed could not be read; retrying',
      );
    }
    if (!failed && this.#failed)
      this.#options.log.info({ event: 'revocation_feed.recovered' }, 'Revocation feed readable again');
    this.#failed = failed;
  }

  #pullOnce(mayWait: boolean): Promise<void> {
    this.#pulling ??= this.#pull(mayWait).finally(() => {
      this.#pulling = undefined;
    });
    return this.#pulling;
  }

  async #pull(mayWait: boolean): Promise<void> {
    const { clock, list } = this.#options;
    let more = true;
    while (more && !this.#stopped) {
      // Between two pages the list is not up to date, so the pull does not wait.
      const { page, askedAt } = await (mayWait && this.#begunAt === undefined
        ? this.#waitedPage()
        : this.#page());
      // The pages show the feed at a time after the first request was sent, so the list is complete up to
      // that time.
      const begunAt = this.#begunAt ?? askedAt;
      list.apply(page.entries);
      this.#cursor = page.cursor;
      this.#begunAt = begunAt;
      more = page.more;
      if (!more) {
        this.#known = larger(this.#known, page.maxSeq);
        list.touch(Math.min(clock(), begunAt + (begunAt === askedAt ? waitedMs(page) : 0)));
        this.#begunAt = undefined;
      }
    }
  }

  /** Returns a page once there is a new entry, or the current page if one is needed in the meantime. */
  async #waitedPage(): Promise<AskedPage> {
    const { waitSeconds: seconds = 0 } = this.#options;
    if (seconds === 0 || this.#cursor === undefined) return this.#page();
    const waiting = new AbortController();
    this.#waiting = waiting;
    try {
      return await this.#page({ seconds, signal: waiting.signal });
    } catch (error) {
      if (this.#stopped || !waiting.signal.aborted) throw error;
    } finally {
      this.#waiting = undefined;
    }
    return this.#page();
  }

  async #page(waiting?: Waiting): Promise<AskedPage> {
    const askedAt = this.#options.clock();
    return { page: await this.#options.pull(this.#cursor, waiting), askedAt };
  }

  async #read(stream: Redis): Promise<void> {
    const key = revocationStream(this.#options.prefix);
    let position = '$';
    while (!this.#stopped) {
      try {
        // '$' would skip entries added between two reads, so the position is determined first.
        if (position === '$') position = await lastId(stream, key);
        const answer = await stream.xread('COUNT', 500, 'BLOCK', blockMs, 'STREAMS', key, position);
        // The heartbeat adds entries every few seconds. A silent stream may have been recreated with lower
        // positions than the reader's.
        if (answer === null) position = await this.#earlier(stream, position);
        for (const [, messages] of answer ?? []) {
          for (const [id, fields] of messages) {
            position = id;
            this.#take(fields);
          }
        }
      } catch {
        if (this.#stopped) return;
        // After a reconnect the server may have lost the stream, which makes the position meaningless.
        position = '$';
        this.#hasten();
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }

  /** Returns the end of the stream if it is before the position; entries may then be missing from it. */
  async #earlier(stream: Redis, position: string): Promise<string> {
    const last = await lastId(stream, revocationStream(this.#options.prefix));
    if (!isBefore(last, position)) return position;
    this.#hasten();
    return last;
  }

  /**
   * Applies a signed entry, which has one field and its MAC. A replayed entry only repeats its revocation.
   */
  #take([field, value = '', mac, signature]: readonly string[]): void {
    const message = `${field}=${value}`;
    const stream = revocationStream(this.#options.prefix);
    const isOurs =
      mac === 'mac' && this.#options.signatures.verifies('revocations', stream, message, signature);
    if (!isOurs) {
      if (!this.#refused)
        this.#options.log.warn(
          { event: 'revocation_feed.forged_entry' },
          'Revocation stream entry without a valid signature rejected',
        );
      this.#refused = true;
      return;
    }
    if (field === 'entries') this.#options.list.apply(parseEntries(value));
    else if (field === 'maxSeq' && isSeq(value) && BigInt(value) > this.#known) this.#hasten();
  }
}

async function lastId(stream: Redis, key: string): Promise<string> {
  const newest = await stream.xrevrange(key, '+', '-', 'COUNT', 1);
  return newest[0]?.[0] ?? '0-0';
}

/** Reports whether a stream entry's id (milliseconds and number) is before another. */
function isBefore(one: string, other: string): boolean {
  const [ms = 0n, n = 0n] = one.split('-').map(BigInt);
  const [otherMs = 0n, otherN = 0n] = other.split('-').map(BigInt);
  return ms === otherMs ? n < otherN : ms < otherMs;
}

const isSeq = (text: string): boolean => /^\d{1,20}$/.test(text);

const larger = (known: bigint, seq: string): bigint =>
  isSeq(seq) && BigInt(seq) > known ? BigInt(seq) : known;

const waitedMs = ({ completeAfterMs = 0 }: RevocationPage): number => Math.max(0, completeAfterMs);

function parseEntries(json: string): Revocation[] {
  try {
    const entries: unknown = JSON.parse(json);
    return Array.isArray(entries) ? (entries as Revocation[]) : [];
  } catch {
    return [];
  }
}
