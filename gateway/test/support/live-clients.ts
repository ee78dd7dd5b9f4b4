import { createClient as createSseClient } from 'graphql-sse';
import { type Client, createClient as createWsClient } from 'graphql-ws';
import { WebSocket } from 'ws';

export interface Result {
  data?: Record<string, Record<string, unknown>> | null;
  errors?: { message: string; path?: unknown[]; extensions?: Record<string, unknown> }[];
  extensions?: { eventId?: string };
}

/** A subscriber with the results received so far. */
export interface Subscriber {
  results: Result[];
  /** Resolves with the result of this index. */
  result(index: number): Promise<Result>;
  /** Resolves with 'complete' or the error. */
  ended: Promise<unknown>;
  isEnded(): boolean;
  stop(): void;
}

interface SubscribeOptions {
  query?: string;
  documentId?: string;
  variables?: Record<string, unknown>;
  extensions?: Record<string, unknown>;
}

function subscriber(
  start: (sink: { next(value: unknown): void; error(error: unknown): void; complete(): void }) => () => void,
): Subscriber {
  const results: Result[] = [];
  const waiting = new Set<() => void>();
  let over = false;
  let stop = (): void => {};
  const ended = new Promise<unknown>((resolve) => {
    const end = (how: unknown): void => {
      over = true;
      resolve(how);
      for (const wake of waiting) wake();
    };
    stop = start({
      next: (value) => {
        results.push(value as Result);
        for (const wake of waiting) wake();
      },
      error: end,
      complete: () => end('complete'),
    });
  });
  return {
    results,
    ended,
    isEnded: () => over,
    stop: () => stop(),
    async result(index) {
      // Waits as long as results arrive, at any rate.
      const patience = 12_000;
      for (let before = -1; results.length <= index && !over && results.length > before; ) {
        before = results.length;
        const something = Promise.withResolvers<void>();
        waiting.add(something.resolve);
        const timer = setTimeout(something.resolve, patience);
        await something.promise;
        clearTimeout(timer);
      }
      const found = results[index];
      if (!found) throw new Error(`result ${index} never came (${results.length} did, ended: ${over})`);
      return found;
    },
  };
}

/** Subscribes with the client of graphql-sse. */
export function subscribeSse(
  url: string,
  token: string,
  options: SubscribeOptions,
  o: { lastEventId?: string; retryAttempts?: number; path?: string; headers?: Record<string, string> } = {},
): Subscriber {
  const client = createSseClient({
    url: `${url}${o.path ?? '/graphql'}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(o.lastEventId ? { 'last-event-id': o.lastEventId } : {}),
      ...o.headers,
    },
    retryAttempts: o.retryAttempts ?? 0,
  });
  const it = subscriber((sink) => client.subscribe(options as { query: string }, sink as never));
  return {
    ...it,
    stop: () => {
      it.stop();
      client.dispose();
    },
  };
}

export interface SocketClient {
  client: Client;
  subscribe(options: SubscribeOptions): Subscriber;
  /** Code and reason of the close frame. */
  closed: Promise<{ code: number; reason: string }>;
  acknowledged: Promise<Record<string, unknown> | undefined>;
  socket: Promise<WebSocket>;
}

/** Connects with the client of graphql-ws. */
export function connectWs(
  url: string,
  connectionParams: Record<string, unknown>,
  headers: Record<string, string> = {},
  path = '/graphql',
): SocketClient {
  let onClosed: (value: { code: number; reason: string }) => void;
  let onAcknowledged: (value: Record<string, unknown> | undefined) => void;
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    onClosed = resolve;
  });
  const acknowledged = new Promise<Record<string, unknown> | undefined>((resolve) => {
    onAcknowledged = resolve;
  });
  let onSocket: (value: WebSocket) => void;
  const socket = new Promise<WebSocket>((resolve) => {
    onSocket = resolve;
  });
  class Socket extends WebSocket {
    constructor(address: string, protocols: string) {
      super(address, protocols, { headers });
    }
  }
  const client = createWsClient({
    url: `${url.replace(/^http/, 'ws')}${path}`,
    webSocketImpl: Socket,
    connectionParams,
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => {},
    on: {
      opened: (opened) => onSocket(opened as WebSocket),
      connected: (_socket, payload) => onAcknowledged(payload as Record<string, unknown>),
      closed: (event) => onClosed(event as { code: number; reason: string }),
    },
  });
  return {
    client,
    closed,
    acknowledged,
    socket,
    subscribe: (options) =>
      subscriber((sink) => client.subscribe(options as { query: string }, sink as never)),
  };
}
