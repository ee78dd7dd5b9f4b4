import { timeLimit } from '@ostiary/service';
import type { Dispatcher } from 'undici';

/** What a subgraph answered. */
export interface CallAnswer {
  statusCode: number;
  /** The whole body. */
  text: string;
}

export interface Call {
  /** Names and values in turn. */
  headers: string[];
  body: string;
  /** Milliseconds until the whole answer has to be there. */
  timeoutMs: number;
  /** Largest answer that is read, in bytes. */
  answerLimit: number;
}

/**
 * Sends an operation and reads the answer. On the dispatcher itself, because the stream and the abort signal of `request` cost
 * as much as all the rest of a small call; a signal of `AbortSignal.timeout` moreover lives, and fires, long after the answer.
 * @throws Error when there was no answer in time, or too much of it, or the connection broke (see `brokeOff`)
 */
export function post(dispatcher: Dispatcher, call: Call): Promise<CallAnswer> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(
      {
        method: 'POST',
        path: '/graphql',
        headers: call.headers,
        body: call.body,
        // There is one limit for all of it.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      new Reading(call, resolve, reject),
    );
  });
}

/** An answer as it comes in. */
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
    const late = new Error(`did not answer within ${timeoutMs} ms`);
    this.#late = late;
    this.#reject(late);
    this.#controller?.abort(late);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // It may have waited for a connection for so long that its answer isn't wanted any more.
    if (this.#late) controller.abort(this.#late);
    else this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number): void {
    this.#statusCode = statusCode;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    // Takes the connection with it: what else is to come on it isn't wanted.
    if (this.#size > this.#answerLimit)
      controller.abort(new Error(`the answer is larger than ${this.#answerLimit} bytes`));
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
    // Once it has begun to answer it isn't asked again.
    this.#reject(this.#statusCode === 0 ? error : new Error('the answer broke off', { cause: error }));
  }
}
