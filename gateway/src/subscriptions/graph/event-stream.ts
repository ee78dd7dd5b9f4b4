import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Ending } from './ending.ts';

/** How long a client may leave what was sent to it unread, in ms. */
const stalledMs = 30_000;

/** Writes what the protocol's handler yields, no faster than it is read, with the ids that clients go on after. */
export class EventStream {
  readonly #response: ServerResponse;
  #written = 0;
  #flushed: (() => void) | undefined;
  #body: AsyncGenerator<string, void, undefined> | undefined;
  #ending: Ending | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Undefined when as many results as were handed out have been written. */
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

  /** The subscriber has been notified why; what a client leaves unread must not keep the connection open. */
  close(ending: Ending): void {
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

/** The id that the result ends with; it is the last thing in it. */
function eventId(chunk: string): string | undefined {
  return /"extensions":\{"eventId":"([\d-]+)"\}\}\n\n$/.exec(chunk)?.[1];
}
