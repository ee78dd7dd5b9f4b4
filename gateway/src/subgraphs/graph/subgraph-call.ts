import { timeLimit } from '@ostiary/service';
import type { Dispatcher } from 'undici';

export interface CallAnswer {
  statusCode: number;
  text: string;
}

export interface Call {
  /** Names and values in turn. */
  headers: string[];
  body: string;
  /** Timeout in milliseconds for the whole response. */
  timeoutMs: number;
  /** Maximum size of a response in bytes. */
  answerLimit: number;
}

/**
 * Sends an operation and reads the response. It uses the dispatcher directly, because the stream and the abort signal
 * of `request` cost as much as the rest of a small call; a signal of `AbortSignal.timeout` also fires long after the
 * response.
 * @throws Error when the response is late or too large, or the connection broke (see `brokeOff`)
 */
export function post(dispatcher: Dispatcher, call: Call): Promise<CallAnswer> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(
      {
        method: 'POST',
        path: '/graphql',
        headers: call.headers,
        body: call.body,
        // `timeoutMs` limits the whole exchange.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      new Reading(call, resolve, reject),
    );
  });
}

class Reading implements Dispatcher.DispatchHandler {
  readonly #answerLimit: number;
  readonly #resolve: (answer: CallAnswer) => void;
  readonly #reject: (error: Error) => void;
  readonly #inTime: () => void;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #statusCode = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #late: Error | undefined;

  constructor(
    { timeoutMs, answerLimit }: Call,
    resolve: (answer: CallAnswer) => void,
    reject: (error: Error) => void,
  ) {
    this.#answerLimit = answerLimit;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#inTime = timeLimit(timeoutMs, () => this.#expire(timeoutMs));
  }

  #expire(timeoutMs: number): void {
    const late = new Error(`did not respond within ${timeoutMs} ms`);
    this.#late = late;
    this.#reject(late);
    this.#controller?.abort(late);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The call may have timed out while it waited for a connection.
    if (this.#late) controller.abort(this.#late);
    else this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number): void {
    this.#statusCode = statusCode;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    // Closes the connection as well, because the rest of the response would follow on it.
    if (this.#size > this.#answerLimit)
      controller.abort(new Error(`the response is larger than ${this.#answerLimit} bytes`));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#inTime();
    const [first, ...more] = this.#chunks;
    const whole = first && more.length === 0 ? first : Buffer.concat(this.#chunks);
    this.#resolve({ statusCode: this.#statusCode, text: whole.toString('utf8') });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#inTime();
    // A call whose response has begun is not repeated.
    this.#reject(this.#statusCode === 0 ? error : new Error('the response is incomplete', { cause: error }));
  }
}
