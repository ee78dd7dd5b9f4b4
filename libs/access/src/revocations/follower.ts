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
  /** By STREAM_KEY: an entry that isn't signed revokes nothing. */
  signatures: Signatures;
  /** Reads the durable feed from a cursor; everything when there is none. */
  pull: (after?: string, waiting?: Waiting) => Promise<RevocationPage>;
  log: Logger;
  /** Milliseconds of this process; may be monotonic. */
  clock: () => number;
  /** Milliseconds from the beginning of a pull to that of the next, at least; 1,000 unless said. */
  pullEveryMs?: number;
  /** For how many whole seconds a pull may wait for something new; not at all unless said. */
  waitSeconds?: number;
}

/** A pull that may be answered later, as soon as there is something new. */
export interface Waiting {
  seconds: number;
  /** Nobody waits for the answer any more. */
  signal: AbortSignal;
}

/**
 * For how many whole seconds the answer to a pull may be waited for, where tokens are judged by a list that is no older than
 * `maxStalenessSeconds`: while the other side is away, most of that time has to remain.
 */
export const feedWaitSeconds = (maxStalenessSeconds: number): number =>
  Math.min(longestWaitSeconds, Math.floor(maxStalenessSeconds / 3));

const longestWaitSeconds = 3;

/** How long a read of the stream waits for something, in ms. */
const blockMs = 4_000;

interface AskedPage {
  page: RevocationPage;
  askedAt: number;
}

/** Fields of an entry of the stream, with its MAC. @param field `entries` or `maxSeq` */
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
 * Keeps a RevocationList complete. The Redis stream brings entries within milliseconds; the pull is the truth: it finds what a
 * crash between commit and publication, a flushed Redis or a broken connection kept from the stream. There is one all the time,
 * waiting on the other side for something new, or one each second where the other side doesn't let it wait; and one that doesn't
 * wait whenever the stream shows something unknown. Only a pull makes the list fresh.
 */
export class RevocationFollower {
  readonly #options: FollowerOptions;
  #stopped = false;
  #stream: Redis | undefined;
  #cursor: string | undefined;
  /** When the first of several pages, some of which have come, was asked for. */
  #begunAt: number | undefined;
  #known = 0n;
  #pulling: Promise<void> | undefined;
  /** Of a pull that waits on the other side: gives it up. */
  #waiting: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  #failed = false;
  #refused = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Starts following; returns at once. Until the first pull succeeds the list stays stale. */
  start(): void {
    this.#stream = createRedis(this.#options.redisUrl, {
      name: 'revocations',
      log: this.#options.log,
      blocking: true,
    });
    this.#reading = this.#read(this.#stream);
    this.#schedule(0);
  }

  /** Whether the stream that brings revocations within milliseconds is connected. */
  get streaming(): boolean {
    return this.#stream?.status === 'ready';
  }

  /** The highest position in the feed that a pull has shown, decimal. */
  get maxSeq(): string {
    return this.#known.toString();
  }

  /** Resolves after a pull that began now or later: everything revoked before the call is in the list. */
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
    // A read that waits for a connection just being re-established never ends; nothing depends on it any more.
    await Promise.race([this.#reading, new Promise((resolve) => setTimeout(resolve, 250).unref())]);
    await this.#pulling?.catch(() => undefined);
  }

  #schedule(delay: number): void {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const begunAt = performance.now();
      // What couldn't be read lately is wanted at once, be there something new or not.
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

  /** There may be something new that this process doesn't know: the next answer is wanted at once. */
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
      // Who is between two pages isn't up to date, and doesn't wait.
      const { page, askedAt } = await (mayWait && this.#begunAt === undefined
        ? this.#waitedPage()
        : this.#page());
      // The pages show the feed at some time after the first request left, so the list is complete up to that moment.
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

  /** A page, which may come as soon as there is something new; a page as it is now, when that is wanted meanwhile. */
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
        // '$' would skip what is added between two reads, so the position is fixed before the first.
        if (position === '$') position = await lastId(stream, key);
        const answer = await stream.xread('COUNT', 500, 'BLOCK', blockMs, 'STREAMS', key, position);
        // There is something every few seconds (the heartbeat). A stream that is silent may have begun anew, before where this reader had got to.
        if (answer === null) position = await this.#earlier(stream, position);
        for (const [, messages] of answer ?? []) {
          for (const [id, fields] of messages) {
            position = id;
            this.#take(fields);
          }
        }
      } catch {
        if (this.#stopped) return;
        // After a reconnect the server may have lost the stream, and with it the meaning of the position.
        position = '$';
        this.#hasten();
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }

  /** Where the stream ends, if that is before the position; then there may be news that it no longer tells. */
  async #earlier(stream: Redis, position: string): Promise<string> {
    const last = await lastId(stream, revocationStream(this.#options.prefix));
    if (!isBefore(last, position)) return position;
    this.#hasten();
    return last;
  }

  /** An entry has one field, and its MAC; an old one that is put in again revokes what is revoked, and no more. */
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

/** Whether one id of a stream's entries, milliseconds and a number, is before another. */
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
