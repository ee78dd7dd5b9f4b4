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
  pull: (after?: string) => Promise<RevocationPage>;
  log: Logger;
  /** Milliseconds of this process; may be monotonic. */
  clock: () => number;
  /** Milliseconds between pulls. */
  pullEveryMs?: number;
}

/** How long a read of the stream waits for something, in ms. */
const blockMs = 4_000;

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
 * Keeps a RevocationList complete. The Redis stream brings entries within milliseconds; the pull, once a second
 * and whenever the stream shows something unknown, is the truth: it finds what a crash between commit and
 * publication, a flushed Redis or a broken connection kept from the stream. Only a pull makes the list fresh.
 */
export class RevocationFollower {
  readonly #options: FollowerOptions;
  #stopped = false;
  #stream: Redis | undefined;
  #cursor: string | undefined;
  /** When the first of several pages was asked for. */
  #begunAt: number | undefined;
  #known = 0n;
  #pulling: Promise<void> | undefined;
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

  /** Resolves after a pull that began now or later: everything revoked before the call is in the list. */
  async refresh(): Promise<void> {
    await this.#pulling?.catch(() => undefined);
    await this.#pullOnce();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#stream?.disconnect();
    // A read that waits for a connection just being re-established never ends; nothing depends on it any more.
    await Promise.race([this.#reading, new Promise((resolve) => setTimeout(resolve, 250).unref())]);
    await this.#pulling?.catch(() => undefined);
  }

  #schedule(delay: number): void {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      void this.#pullOnce()
        .then(
          () => this.#report(false),
          (error: unknown) => this.#report(true, error),
        )
        .finally(() => {
          const regular = this.#options.pullEveryMs ?? 1_000;
          this.#schedule(this.#failed ? Math.min(regular, 250) : regular);
        });
    }, delay);
  }

  #report(failed: boolean, error?: unknown): void {
    if (failed && !this.#failed) {
      this.#options.log.warn({ err: error }, 'the revocation feed cannot be read; trying on');
    }
    if (!failed && this.#failed) this.#options.log.info('the revocation feed is readable again');
    this.#failed = failed;
  }

  #pullOnce(): Promise<void> {
    this.#pulling ??= this.#pull().finally(() => {
      this.#pulling = undefined;
    });
    return this.#pulling;
  }

  async #pull(): Promise<void> {
    // The pages show the feed at some time after the first request left, so the list is complete up to that moment.
    const begunAt = this.#begunAt ?? this.#options.clock();
    this.#begunAt = begunAt;
    let more = true;
    while (more && !this.#stopped) {
      const page = await this.#options.pull(this.#cursor);
      this.#options.list.apply(page.entries);
      this.#cursor = page.cursor;
      more = page.more;
      if (!more) {
        this.#known = larger(this.#known, page.maxSeq);
        this.#options.list.touch(begunAt);
        this.#begunAt = undefined;
      }
    }
  }

  async #read(stream: Redis): Promise<void> {
    const key = revocationStream(this.#options.prefix);
    let position = '$';
    while (!this.#stopped) {
      try {
        // '$' would skip what is added between two reads, so the position is fixed before the first.
        if (position === '$') position = await lastId(stream, key);
        const answer = await stream.xread('COUNT', 500, 'BLOCK', blockMs, 'STREAMS', key, position);
        // There is something every two seconds. A stream that is silent may have begun anew, before where this reader had got to.
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
        this.#schedule(0);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }

  /** Where the stream ends, if that is before the position; then there may be news that it no longer tells. */
  async #earlier(stream: Redis, position: string): Promise<string> {
    const last = await lastId(stream, revocationStream(this.#options.prefix));
    if (!isBefore(last, position)) return position;
    this.#schedule(0);
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
        this.#options.log.warn('an entry of the revocation stream that we did not make was refused');
      this.#refused = true;
      return;
    }
    if (field === 'entries') this.#options.list.apply(parseEntries(value));
    else if (field === 'maxSeq' && isSeq(value) && BigInt(value) > this.#known) this.#schedule(0);
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

function parseEntries(json: string): Revocation[] {
  try {
    const entries: unknown = JSON.parse(json);
    return Array.isArray(entries) ? (entries as Revocation[]) : [];
  } catch {
    return [];
  }
}
