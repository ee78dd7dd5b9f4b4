import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseLog } from '../log.ts';
import { keepAliveAfterMs } from './pool.ts';
import { RoutedClient } from './routed-client.ts';
import type { Servers } from './servers.ts';

type OnNotify = (payload: string) => void;

/**
 * LISTEN on a separate connection that is re-established after failures.
 * Notifications during an outage are lost, so after every reconnect all listeners are called with an empty
 * payload, which means: check for changes. Notifications are only hints.
 */
export class Listener {
  readonly #servers: Servers;
  readonly #log: DatabaseLog;
  readonly #channels = new Map<string, Set<OnNotify>>();
  #client: pg.Client | undefined;
  #running: Promise<void> | undefined;
  #said: Promise<unknown> = Promise.resolve();
  #closed = new AbortController();

  constructor(servers: Servers, log: DatabaseLog) {
    this.#servers = servers;
    this.#log = log;
  }

  /** Resolves when PostgreSQL has confirmed the LISTEN, or immediately if it is unavailable. */
  async listen(channel: string, onNotify: OnNotify): Promise<() => Promise<void>> {
    let listeners = this.#channels.get(channel);
    const first = !listeners;
    if (!listeners) {
      listeners = new Set();
      this.#channels.set(channel, listeners);
    }
    listeners.add(onNotify);
    if (!this.#running) {
      const ready = Promise.withResolvers<void>();
      this.#running = this.#run(ready.resolve);
      await ready.promise;
    } else if (first) {
      await this.#say(`LISTEN ${pg.escapeIdentifier(channel)}`);
    }
    return async () => {
      listeners.delete(onNotify);
      if (listeners.size > 0 || this.#channels.get(channel) !== listeners) return;
      this.#channels.delete(channel);
      await this.#say(`UNLISTEN ${pg.escapeIdentifier(channel)}`);
    };
  }

  /**
   * Runs one statement at a time on the connection. A broken connection is re-established with all channels.
   */
  #say(text: string): Promise<unknown> {
    this.#said = this.#said.then(() => this.#client?.query(text)).catch(() => undefined);
    return this.#said;
  }

  /** Calls the listeners of this process; false if there are none. */
  notify(channel: string, payload: string): boolean {
    const listeners = this.#channels.get(channel);
    if (!listeners) return false;
    for (const onNotify of listeners) onNotify(payload);
    return true;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#channels.clear();
    await this.#client?.end().catch(() => {});
    await this.#running;
  }

  async #run(attempted: () => void): Promise<void> {
    const signal = this.#closed.signal;
    let delay = 100;
    let reconnecting = false;
    while (!signal.aborted) {
      try {
        const client = await this.#connect();
        if (reconnecting) {
          this.#log.info(
            { event: 'database.listener_recovered' },
            'Listening for database notifications again',
          );
          for (const channel of this.#channels.keys()) this.notify(channel, '');
        }
        delay = 100;
        attempted();
        await this.#untilBroken(client, signal);
      } catch (error) {
        if (!reconnecting && !signal.aborted) {
          this.#log.warn(
            { event: 'database.listener_lost', err: (error as Error).message },
            'Connection for database notifications lost; retrying',
          );
        }
      }
      attempted();
      reconnecting = true;
      this.#client = undefined;
      await sleep(delay * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
      delay = Math.min(delay * 2, 5000);
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new RoutedClient({
      servers: this.#servers,
      settings: "SET TIME ZONE 'UTC'",
      application_name: 'ostiary listener',
      connectionTimeoutMillis: 5000,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfterMs,
    });
    client.on('error', () => {});
    client.on('notification', ({ channel, payload }) => void this.notify(channel, payload ?? ''));
    try {
      await client.connect();
      for (const channel of this.#channels.keys()) {
        await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      }
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    this.#client = client;
    if (this.#closed.signal.aborted) await client.end();
    return client;
  }

  /** Probes the connection regularly, because a half-open one never reports a failure. */
  async #untilBroken(client: pg.Client, signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    client.once('end', () => ended.abort());
    const stop = AbortSignal.any([signal, ended.signal]);
    while (!stop.aborted) {
      await sleep(15_000, undefined, { signal: stop, ref: false }).catch(() => {});
      if (stop.aborted) break;
      const answer = client.query('SELECT 1').then(
        () => true,
        () => false,
      );
      if (!(await Promise.race([answer, sleep(5000, false, { ref: false })]))) break;
    }
    await client.end().catch(() => {});
  }
}
