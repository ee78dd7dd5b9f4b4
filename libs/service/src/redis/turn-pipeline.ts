import { AsyncLocalStorage } from 'node:async_hooks';
import type { Redis } from './connection.ts';

/**
 * Sends the commands of one turn of the event loop in one write, because under load the system calls for a
 * command cost more than the command. Each is a separate command with its own response, not a transaction or
 * script: commands of other connections may run between them. A single command is sent in the same turn, too.
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
    // Undefined without a connection; each command then fails itself.
    const stream = commands.length > 1 && 'stream' in this.#redis ? this.#redis.stream : undefined;
    stream?.cork();
    for (const send of commands) send();
    stream?.uncork();
  }
}

/** Turns synchronous errors into rejections. */
const started = async <T>(command: () => Promise<T>): Promise<T> => command();
