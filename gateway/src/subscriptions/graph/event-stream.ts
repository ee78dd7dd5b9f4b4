import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ConnectionEnding } from './ending.ts';

/** Maximum time in milliseconds for which a client may leave sent data unread. */
const stalledMs = 30_000;

/** Writes the results of the protocol's handler, no faster than the client reads them, with the ids for resuming. */
export class EventStream {
  readonly #response: ServerResponse;
  #written = 0;
  #flushed: (() => void) | undefined;
  #body: AsyncGenerator<string, void, undefined> | undefined;
  #ending: ConnectionEnding | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Returns undefined when the given number of results has been written. */
  drained(handedOut: number): Promise<void> | undefined {
    if (this.#written >= handedOut && !this.#response.writableNeedDrain) return undefined;
    return new Promise((resolve) => {
      this.#flushed = resolve;
    });
  }

  async run(body: AsyncGenerator<string, void, undefined>, mark: () => string | undefined): Promise<void> {
    this.#body = body;
    const response = this.#response;
    const gone = (): void => void body.return(undefined);
    response.once('close', gone);
    if (response.destroyed) gone();
    try {
      for await (const chunk of body) {
        if (response.destroyed) break;
        const isNext = chunk.startsWith('event: next');
        const id = isNext ? eventId(chunk) : chunk === ':\n\n' ? mark() : undefined;
        const text = id === undefined ? chunk : isNext ? `id: ${id}\n${chunk}` : `:\nid: ${id}\n\n`;
        if (!response.write(text)) await this.#drain();
        if (isNext) this.#written += 1;
        this.#flushed?.();
      }
    } finally {
      response.off('close', gone);
      this.#flushed?.();
      if (!response.destroyed) response.end();
    }
  }

  /** Ends the stream after the last error was written. Unread data must not keep the connection open. */
  close(ending: ConnectionEnding): void {
    this.#ending = ending;
    if (this.#response.writableNeedDrain || this.#body === undefined) this.#response.destroy();
    else setTimeout(() => this.#response.destroy(), 1_000).unref();
  }

  async #drain(): Promise<void> {
    if (this.#ending) return;
    const timer = setTimeout(() => this.#response.destroy(), stalledMs);
    await Promise.race([once(this.#response, 'drain'), once(this.#response, 'close')]).catch(() => undefined);
    clearTimeout(timer);
  }
}

/** Returns the id at the end of a result. */
function eventId(chunk: string): string | undefined {
  return /"extensions":\{"eventId":"([\d-]+)"\}\}\n\n$/.exec(chunk)?.[1];
}
