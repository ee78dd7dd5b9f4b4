import { ApolloLink } from '@apollo/client';
import { type Client, createClient } from 'graphql-sse';
import { Observable } from 'rxjs';
import { EventStream } from './event-stream.ts';
import type { LiveState } from './live-state.ts';

/**
 * Transports subscriptions as server-sent events. A broken connection resumes at its last event (`Last-Event-ID`). If
 * the gateway no longer has this position (`RESUME_NOT_POSSIBLE`), subscribers are notified to read again.
 */
export class EventStreamLink extends ApolloLink {
  readonly #client: Client;
  readonly #live: LiveState;

  constructor({ uri, fetch, live }: { uri: string; fetch: typeof globalThis.fetch; live: LiveState }) {
    super();
    this.#live = live;
    this.#client = createClient({
      url: uri,
      fetchFn: fetch,
      // Each `EventStream` reconnects with its own position.
      retryAttempts: 0,
    });
  }

  override request(operation: ApolloLink.Operation): Observable<ApolloLink.Result> {
    return new Observable((observer) => {
      const stream = new EventStream({
        client: this.#client,
        operation,
        live: this.#live,
        tell: (result) => observer.next(result),
      });
      stream.connect();
      return () => stream.end();
    });
  }
}
