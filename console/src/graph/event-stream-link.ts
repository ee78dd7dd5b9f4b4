import { ApolloLink } from '@apollo/client';
import { type Client, createClient } from 'graphql-sse';
import { Observable } from 'rxjs';
import { EventStream } from './event-stream.ts';
import type { LiveState } from './live-state.ts';

/**
 * Subscriptions as server-sent events. A broken connection is begun again where it broke (`Last-Event-ID`); where that isn't known any more
 * (`RESUME_NOT_POSSIBLE`), whoever listens is told to read anew.
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
      // Each operation of ours tries again by itself, because it knows its position.
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
