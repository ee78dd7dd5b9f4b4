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
import type { EventFeed, FeedListeners } from '../domain/event-feed.ts';
import { LiveWindow, type Placed } from '../domain/event-window.ts';
import { comparePositions, type Position, parsePosition, positionText } from '../domain/position.ts';

export interface FeedOptions extends FeedListeners {
  redisUrl: string;
  /** REDIS_PREFIX. */
  prefix: string;
  /** By STREAM_KEY: an entry that isn't signed is nothing that happened. */
  signatures: Signatures;
  log: Logger;
  /** Events kept for those who come back; as many as the stream keeps unless said. */
  capacity?: number;
}

const readAtOnce = 500;
const blockMs = 2_000;
/** How long those who come before the first events have been read wait for them, in ms after the start. */
const patienceMs = 3_000;

/**
 * The process's one reader of the stream of live events. Notices what makes it incomplete (an entry missing from the
 * count, a stream that begins anew, a Redis that was restarted or replaced) and says so.
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
  /** Of the server that is read. */
  #runId: string | undefined;
  #stopped = false;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#stream = liveStream(options.prefix);
  }

  /** What can be served; undefined until the stream has been read for the first time. */
  get window(): LiveWindow | undefined {
    return this.#window;
  }

  /** Whether events arrive now. */
  get connected(): boolean {
    return this.#window !== undefined && this.#reader?.status === 'ready';
  }

  /**
   * Resolves once there is something to serve. Shortly after the start it resolves without, too: no client waits for a Redis that
   * is away.
   */
  begun(): Promise<void> {
    return this.#begun;
  }

  /** Starts reading; returns at once. Redis needn't be there yet. */
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
    // Those who write to the stream say in it that it is another server's; this process needn't wait for that. And a server whose
    // clock or data is behind would add entries that look as if they had been read.
    const last = await this.#lastPosition(redis);
    if (this.#window && (isAnother || comparePositions(last, this.#window.head) < 0)) {
      // What this server still has may end exactly where a subscriber had got to, and what came behind it be lost: nobody goes on from there.
      this.#beginAt(justAfter(last), this.#options, last);
      // Subscribers have been notified: that the stream begins anew, which it says itself a moment later, is no second gap for those that came since.
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

  /** Reads what the stream still has. It has at least the entry that says where it begins. */
  async #load(reader: Redis): Promise<void> {
    // What is asked of a connection that is still being made fails at once.
    if (this.#checker) await redisReady(this.#checker, blockMs);
    await this.#check();
    let window: LiveWindow | undefined;
    let from = '-';
    for (;;) {
      const page = await reader.xrange(this.#stream, from, '+', 'COUNT', readAtOnce);
      for (const [id, fields] of page) {
        const at = parsePosition(id);
        // Nothing of ours lies behind what can't be; the next writer begins it anew.
        if (!at) break;
        // What lies before the first entry is unknown; the entry itself can still be delivered.
        window ??= this.#emptyWindow({ ms: at.ms, seq: at.seq });
        window = this.#take(window, at, fields, undefined);
        from = `(${id}`;
      }
      if (page.length < readAtOnce) break;
    }
    this.#window = window ?? this.#emptyWindow(await this.#lastPosition(reader));
    this.#begin();
  }

  /** Where a stream ends whose entries have all been tidied away. */
  async #lastPosition(redis: Redis): Promise<Position> {
    if ((await redis.exists(this.#stream)) === 0)
      return justBefore(await serverOf(redis, this.#stream).time());
    const info = (await redis.xinfo('STREAM', this.#stream)) as unknown[];
    const last = info[info.indexOf('last-generated-id') + 1];
    const at = parsePosition(String(last));
    if (!at) throw new Error('the stream does not say where it ends');
    return at;
  }

  #emptyWindow(floor: Position, head = floor): LiveWindow {
    return new LiveWindow(this.#options.capacity ?? liveRetention.entries, floor, head);
  }

  async #follow(reader: Redis, window: LiveWindow): Promise<void> {
    const answer = await reader.xread(
      'COUNT',
      readAtOnce,
      'BLOCK',
      blockMs,
      'STREAMS',
      this.#stream,
      positionText(window.head),
    );
    // One that is silent may have begun anew, before where this process had got to.
    if (answer === null) await this.#check();
    for (const [, messages] of answer ?? []) {
      for (const [id, fields] of messages) {
        const at = parsePosition(id);
        if (!at) throw new Error('the stream has an entry where none can be');
        this.#window = this.#take(this.#window ?? window, at, fields, this.#options);
      }
    }
  }

  /** A subscriber that had got to an earlier position may have missed something. */
  #beginAt(at: Position, notify: Pick<FeedOptions, 'onGap'> | undefined, head = at): LiveWindow {
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

  /** Takes one entry in. @returns the window to go on with: another one when the chain is broken */
  #take(
    window: LiveWindow,
    at: Position,
    fields: readonly string[],
    notify: Pick<FeedOptions, 'onEvent' | 'onGap'> | undefined,
  ): LiveWindow {
    const entry = readLiveEntry(fields, this.#options);
    if (!entry) {
      window.advance(at);
      return window;
    }
    // A stream that wasn't there when it was first looked for begins with what says so: all gateways go on from there, and no
    // subscriber has missed anything.
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

/** Where a stream begins that isn't there yet: whatever comes into it comes later. @param time of Redis, seconds and microseconds */
const justBefore = ([seconds, micros]: readonly (number | string)[]): Position => ({
  ms: Number(seconds) * 1000 + Math.floor(Number(micros) / 1000) - 1,
  seq: 0,
});

/** The first position behind another. */
const justAfter = ({ ms, seq }: Position): Position => ({ ms, seq: seq + 1 });
