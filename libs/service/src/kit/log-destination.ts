import { type DestinationStream, pino } from 'pino';

/**
 * Maximum time in ms for which lines are buffered. Buffered lines are lost only if the process is killed
 * (SIGKILL).
 */
const maxHeldMs = 100;
/** Maximum number of buffered characters. */
const maxHeld = 16_384;

/** Used methods of pino's destination. `flushSync` is also called when the process exits. */
type Sink = Pick<ReturnType<typeof pino.destination>, 'write' | 'flush' | 'flushSync'>;

/**
 * Buffered standard output. Frequent lines that are not urgent are buffered briefly and written together,
 * because one write each costs more than the rest of a request at the edge. Any other line is written
 * immediately with the buffered lines before it, which keeps their order.
 */
export class LogDestination implements DestinationStream {
  readonly #sink: Sink;
  #held = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(sink: Sink = pino.destination({ fd: 1, sync: false })) {
    this.#sink = sink;
  }

  write(line: string): void {
    if (this.#held === '') this.#sink.write(line);
    else {
      this.#held += line;
      this.#release();
    }
  }

  hold(line: string): void {
    this.#held += line;
    if (this.#held.length >= maxHeld) this.#release();
    else this.#timer ??= this.#later();
  }

  flush(done: (error?: Error) => void): void {
    this.#release();
    this.#sink.flush(done);
  }

  flushSync(): void {
    this.#release();
    this.#sink.flushSync();
  }

  #later(): NodeJS.Timeout {
    if (destinations.size === 0) process.prependListener('exit', releaseAll);
    destinations.add(this);
    // Not unreferenced: an otherwise idle process writes its buffer before it ends.
    return setTimeout(() => this.#release(), maxHeldMs);
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = this.#held;
    this.#held = '';
    if (held !== '') this.#sink.write(held);
  }
}

/** Destinations that have buffered lines. */
const destinations = new Set<LogDestination>();

/** Runs before the sinks' own exit listeners, which write the lines it passes to them. */
function releaseAll(): void {
  for (const destination of destinations) destination.flushSync();
}
