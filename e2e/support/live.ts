import { waitBoundMs } from '@ostiary/service/testing';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { GraphError } from './graph.ts';

export interface LiveResult {
  // biome-ignore lint/suspicious/noExplicitAny: tests read any JSON
  data?: any;
  errors?: GraphError[];
  extensions?: { eventId?: string };
}

/** A subscriber and its results. */
export interface Subscriber {
  results: LiveResult[];
  /**
   * Resolves with the first result that satisfies; earlier results stay in `results`.
   * @param giveUpMs only for callers that try again: publish another event, or subscribe again
   */
  find(satisfies: (result: LiveResult) => boolean, giveUpMs?: number): Promise<LiveResult>;
  /** 'complete', or the final error. */
  ended: Promise<unknown>;
  stop(): void;
}

export interface Subscription {
  query: string;
  variables?: Record<string, unknown>;
  extensions?: Record<string, unknown>;
}

interface Sink {
  next(value: unknown): void;
  error(error: unknown): void;
  complete(): void;
}

function collect(start: (sink: Sink) => () => void): Subscriber {
  const results: LiveResult[] = [];
  const looking = new Set<() => void>();
  const look = (): void => {
    for (const wake of [...looking]) wake();
  };
  let stop = (): void => undefined;
  const ended = new Promise<unknown>((resolve) => {
    stop = start({
      next(value) {
        results.push(value as LiveResult);
        look();
      },
      error: resolve,
      complete: () => resolve('complete'),
    });
  });
  return {
    results,
    ended,
    stop: () => stop(),
    find: (satisfies, giveUpMs = waitBoundMs) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const found = results.find(satisfies);
          if (!found) return;
          looking.delete(check);
          clearTimeout(timer);
          resolve(found);
        };
        const timer = setTimeout(() => {
          looking.delete(check);
          reject(
            new Error(`No such result within ${giveUpMs / 1_000} s. Results: ${JSON.stringify(results)}`),
          );
        }, giveUpMs);
        looking.add(check);
        check();
      }),
  };
}

/** Subscribes over server-sent events, with the client of graphql-sse. Resolves once the stream is open. */
export async function listen(
  graphql: string,
  token: string | undefined,
  subscription: Subscription,
  lastEventId?: string,
): Promise<Subscriber> {
  let opened = (): void => undefined;
  const open = new Promise<void>((resolve) => {
    opened = resolve;
  });
  const client = createSseClient({
    url: graphql,
    retryAttempts: 0,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    on: { connected: () => opened() },
  });
  const subscriber = collect((sink) => client.subscribe(subscription, sink as never));
  await Promise.race([open, subscriber.ended]);
  return {
    ...subscriber,
    stop() {
      subscriber.stop();
      client.dispose();
    },
  };
}

export interface LiveSocket {
  subscribe(subscription: Subscription): Subscriber;
  /** Status and reason of the close frame. */
  closed: Promise<{ code: number; reason: string }>;
  /** Payload with which the server acknowledged the connection. */
  acknowledged: Promise<{ eventId?: string } | undefined>;
  close(): void;
}

/** Connects with the client of graphql-ws. */
export function connect(graphql: string, connectionParams: Record<string, unknown>): LiveSocket {
  let onClosed: LiveSocket['closed'] extends Promise<infer T> ? (value: T) => void : never;
  let onAcknowledged: (value: { eventId?: string } | undefined) => void;
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    onClosed = resolve;
  });
  const acknowledged = new Promise<{ eventId?: string } | undefined>((resolve) => {
    onAcknowledged = resolve;
  });
  const client = createWsClient({
    url: graphql.replace(/^http/, 'ws'),
    webSocketImpl: WebSocket,
    connectionParams,
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => undefined,
    on: {
      connected: (_socket, payload) => onAcknowledged(payload as { eventId?: string }),
      closed: (event) => onClosed(event as { code: number; reason: string }),
    },
  });
  return {
    closed,
    acknowledged,
    subscribe: (subscription) => collect((sink) => client.subscribe(subscription, sink as never)),
    close: () => void client.dispose(),
  };
}
