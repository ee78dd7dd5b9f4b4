import { type DestinationStream, pino } from 'pino';

/** The longest that lines are held, in milliseconds. What is held is lost when the process is killed (SIGKILL), and in no other case. */
const longestHeldMs = 100;
/** The most that is held, in characters. */
const mostHeld = 16_384;

/** The methods of pino's destination that are used; `flushSync` also when the process exits. */
type Sink = Pick<ReturnType<typeof pino.destination>, 'write' | 'flush' | 'flushSync'>;

/**
 * Standard output. Lines that are many and that nobody waits for are held for a moment and written together: a write of its own for each costs more
 * than all the rest of its request at the edge. Any other line is written at once, and takes those held before it along, so that their order stays.
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
    if (this.#held.length >= mostHeld) this.#release();
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
    // Not unreferenced: a process that has nothing else to do writes what it holds before it ends.
    return setTimeout(() => this.#release(), longestHeldMs);
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = this.#held;
    this.#held = '';
    if (held !== '') this.#sink.write(held);
  }
}

/** Those that have ever held something. */
const destinations = new Set<LogDestination>();

/** Before the sinks' own listeners: what they are handed here they write. */
function releaseAll(): void {
  for (const destination of destinations) destination.flushSync();
}
