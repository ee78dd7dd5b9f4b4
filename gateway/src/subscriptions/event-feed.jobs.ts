import { setTimeout as sleep } from 'node:timers/promises';
import { liveRetention, liveStream, readLiveEntry } from '@ostiary/events/live';
import {
  createRedis,
  type Logger,
  onServerChange,
  type Redis,
  redisReady,
  type Signatures,
  serverOf,
} from '@ostiary/service';
import type { EventFeed, FeedListeners } from './domain/event-feed.ts';
import { LiveWindow, type Placed } from './domain/event-window.ts';
import { comparePositions, type Position, parsePosition, positionText } from './domain/position.ts';

export interface FeedOptions extends FeedListeners {
  redisUrl: string;
  /** REDIS_PREFIX. */
  prefix: string;
  /** Made with STREAM_KEY. Entries without a valid signature are ignored. */
  signatures: Signatures;
  log: Logger;
  /** Maximum number of events kept for resuming clients, default that of the stream. */
  capacity?: number;
}

const readBatchSize = 500;
const blockMs = 2_000;
/** Time in milliseconds after the start for which clients wait for the first events. */
const patienceMs = 3_000;

/**
 * The process's only reader of the stream of live events. It detects and reports an incomplete stream: an entry
 * missing from the count, a stream that begins again, a Redis that was restarted or replaced.
 */
export class LiveFeed implements EventFeed {
  readonly #options: FeedOptions;
  readonly #stream: string;
  #window: LiveWindow | undefined;
  #reader: Redis | undefined;
  #checker: Redis | undefined;
  #reading: Promise<void> | undefined;
  #begin: () => void = () => undefined;
  readonly #begun = new Promise<void>((resolve) => {
    this.#begin = resolve;
  });
  #count = 0;
  /** Run id of the Redis server. */
  #runId: string | undefined;
  #stopped = false;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#stream = liveStream(options.prefix);
  }

  /** The events in memory; undefined until the stream has been read for the first time. */
  get window(): LiveWindow | undefined {
    return this.#window;
  }

  /** Whether events arrive now. */
  get connected(): boolean {
    return this.#window !== undefined && this.#reader?.status === 'ready';
  }

  /**
   * Resolves when there are events to serve, or shortly after the start without them: no client waits for an
   * unavailable Redis.
   */
  begun(): Promise<void> {
    return this.#begun;
  }

  /** Starts reading and returns immediately, also while Redis is unavailable. */
  start(): void {
    const { redisUrl, log } = this.#options;
    this.#checker = createRedis(redisUrl, { name: 'live-check', log });
    this.#reader = createRedis(redisUrl, { name: 'live', log, blocking: true });
    onServerChange(this.#checker, this.#stream, () => {
      this.#check().catch(() => this.#checker?.disconnect(true));
    });
    this.#reading = this.#run(this.#reader);
    setTimeout(this.#begin, patienceMs).unref();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#begin();
    this.#reader?.disconnect();
    this.#checker?.disconnect();
    await Promise.race([this.#reading, sleep(250, undefined, { ref: false })]);
  }

  async #check(): Promise<void> {
    const redis = this.#checker;
    if (!redis) return;
    const runId = /^run_id:(\w+)/m.exec(await serverOf(redis, this.#stream).info('server'))?.[1] ?? 'unknown';
    const isAnother = this.#runId !== undefined && this.#runId !== runId;
    this.#runId = runId;
    // The writers announce another server in the stream; this process need not wait for that. A server whose clock or
    // data is behind would add entries at positions that count as read.
    const last = await this.#lastPosition(redis);
    if (this.#window && (isAnother || comparePositions(last, this.#window.head) < 0)) {
      // The remaining entries of this server may end at a subscriber's position, with later ones lost. No subscriber
      // resumes.
      this.#beginAt(justAfter(last), this.#options, last);
      // Subscribers were notified. The stream's own first entry, which follows, is no second gap for newer
      // subscribers.
      this.#count = 0;
    }
  }

  async #run(reader: Redis): Promise<void> {
    let failures = 0;
    while (!this.#stopped) {
      try {
        if (this.#window === undefined) await this.#load(reader);
        else await this.#follow(reader, this.#window);
        if (failures > 0)
          this.#options.log.info({ event: 'live_events.recovered' }, 'Live event feed readable again');
        failures = 0;
      } catch (error) {
        if (this.#stopped) return;
        failures += 1;
        if (failures === 1)
          this.#options.log.warn(
            { event: 'live_events.unreadable', err: error },
            'Live event feed could not be read; retrying',
          );
        await sleep(Math.min(1_000, 50 * 2 ** Math.min(failures, 5)), undefined, { ref: false });
      }
    }
  }

  /** Reads the remaining entries of the stream. At least its first entry exists. */
  async #load(reader: Redis): Promise<void> {
    // A command on a connection that is still being opened fails immediately.
    if (this.#checker) await redisReady(this.#checker, blockMs);
    await this.#check();
    let window: LiveWindow | undefined;
    let from = '-';
    for (;;) {
      const page = await reader.xrange(this.#stream, from, '+', 'COUNT', readBatchSize);
      for (const [id, fields] of page) {
        const at = parsePosition(id);
        // An invalid position is a foreign entry. The next writer begins the stream again.
        if (!at) break;
        // Earlier events are unknown. The first entry itself can still be delivered.
        window ??= this.#emptyWindow({ ms: at.ms, seq: at.seq });
        window = this.#take(window, at, fields, undefined);
        from = `(${id}`;
      }
      if (page.length < readBatchSize) break;
    }
    this.#window = window ?? this.#emptyWindow(await this.#lastPosition(reader));
    this.#begin();
  }

  /** Returns the end of a stream whose entries have all been trimmed. */
  async #lastPosition(redis: Redis): Promise<Position> {
    if ((await redis.exists(this.#stream)) === 0)
      return justBefore(await serverOf(redis, this.#stream).time());
    const info = (await redis.xinfo('STREAM', this.#stream)) as unknown[];
    const last = info[info.indexOf('last-generated-id') + 1];
    const at = parsePosition(String(last));
    if (!at) throw new Error('the stream has no last id');
    return at;
  }

  #emptyWindow(floor: Position, head = floor): LiveWindow {
    return new LiveWindow(this.#options.capacity ?? liveRetention.entries, floor, head);
  }

  async #follow(reader: Redis, window: LiveWindow): Promise<void> {
    const answer = await reader.xread(
      'COUNT',
      readBatchSize,
      'BLOCK',
      blockMs,
      'STREAMS',
      this.#stream,
      positionText(window.head),
    );
    // A stream without entries may have begun again, before the position of this process.
    if (answer === null) await this.#check();
    for (const [, messages] of answer ?? []) {
      for (const [id, fields] of messages) {
        const at = parsePosition(id);
        if (!at) throw new Error('the stream has an entry with an invalid id');
        this.#window = this.#take(this.#window ?? window, at, fields, this.#options);
      }
    }
  }

  /** Begins a new window: subscribers at an earlier position may have missed events. */
  #beginAt(at: Position, notify: FeedOptions | undefined, head = at): LiveWindow {
    const fresh = this.#emptyWindow(at, head);
    if (notify) {
      this.#window = fresh;
      this.#options.log.warn(
        { event: 'live_events.gap' },
        'Live events may be lost; subscribers are notified',
      );
      notify.onGap();
    }
    return fresh;
  }

  /** Applies one entry. @returns the current window: a new one when the chain is broken */
  #take(
    window: LiveWindow,
    at: Position,
    fields: readonly string[],
    notify: FeedOptions | undefined,
  ): LiveWindow {
    const entry = readLiveEntry(fields, this.#options);
    if (!entry) {
      window.advance(at);
      return window;
    }
    // A stream that did not exist at the first read begins with a start entry. All gateways start from it, and no
    // subscriber has missed an event.
    const isBeginning = this.#count === 0 && 'start' in entry;
    const broken = 'start' in entry || (this.#count > 0 && entry.n !== this.#count + 1);
    this.#count = entry.n;
    const current = broken ? this.#beginAt(at, isBeginning ? undefined : notify) : window;
    if ('start' in entry) {
      current.advance(at);
      return current;
    }
    const placed: Placed = { at, event: entry.event };
    if (current.add(placed)) notify?.onEvent(placed);
    return current;
  }
}

/**
 * Returns a position before any entry of a stream that does not exist yet. @param time of Redis, seconds and
 * microseconds
 */
const justBefore = ([seconds, micros]: readonly (number | string)[]): Position => ({
  ms: Number(seconds) * 1000 + Math.floor(Number(micros) / 1000) - 1,
  seq: 0,
});

const justAfter = ({ ms, seq }: Position): Position => ({ ms, seq: seq + 1 });
