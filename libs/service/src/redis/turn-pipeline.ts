import { AsyncLocalStorage } from 'node:async_hooks';
import type { Redis } from './connection.ts';

/**
 * Commands that are sent in one turn of the event loop leave in one write, and so arrive, and are answered, together: under load the calls to
 * the system that carry a command cost more than the command. Each is a command of its own, with its own answer, and they are neither a
 * transaction nor a script: another connection's may come between them. One that is alone leaves in the turn in which it was sent, too.
 */
export class TurnPipeline {
  readonly #redis: Redis;
  #commands: (() => void)[] = [];

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** @param command sends a command on this connection. @throws what it throws */
  send<T>(command: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    if (this.#commands.length === 0) setImmediate(() => this.#sendAll());
    const inContext = AsyncLocalStorage.snapshot();
    this.#commands.push(() => void inContext(started, command).then(resolve, reject));
    return promise;
  }

  #sendAll(): void {
    const commands = this.#commands;
    this.#commands = [];
    // None while the connection is away, when each command says so itself.
    const stream = commands.length > 1 && 'stream' in this.#redis ? this.#redis.stream : undefined;
    stream?.cork();
    for (const send of commands) send();
    stream?.uncork();
  }
}

/** What throws before it is sent is a failure like any other. */
const started = async <T>(command: () => Promise<T>): Promise<T> => command();
