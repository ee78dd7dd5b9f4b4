import { ApolloClient, ApolloLink, CombinedGraphQLErrors, HttpLink } from '@apollo/client';
import { ErrorLink } from '@apollo/client/link/error';
import { OperationTypeNode } from 'graphql';
import { Observable } from 'rxjs';
import { type Session, SignInNeeded } from '../session/index.ts';
import { createCache } from './cache.ts';
import { EventStreamLink } from './event-stream-link.ts';
import { documentIds } from './generated/document-ids.ts';
import type { LiveState } from './live-state.ts';

/** Authentication requirement of an operation: `extensions` of `INSUFFICIENT_USER_AUTHENTICATION`. */
export interface StepUpDemand {
  acrValues?: string | readonly string[];
  maxAge?: number;
}

export interface ClientEvents {
  /** The session is over: a new sign-in is required. */
  signInNeeded(): void;
  /** Asks for the required sign-in; resolves to false when the user declines. */
  stepUp(demand: StepUpDemand): Promise<boolean>;
}

declare module '@apollo/client' {
  namespace ApolloClient {
    namespace DeclareDefaultOptions {
      interface WatchQuery {
        errorPolicy: 'all';
      }
      interface Query {
        errorPolicy: 'all';
      }
      interface Mutate {
        errorPolicy: 'all';
      }
    }
  }
}

/** A release sends the ids of its operations (trusted documents), a development server their text. */
const byId = import.meta.env.PROD;

export function createClient(session: Session, live: LiveState, events: ClientEvents): ApolloClient {
  const uri = session.configuration.graph;
  const http = new HttpLink({ uri, fetch: session.fetch as typeof fetch });
  const stream = new EventStreamLink({ uri, fetch: session.fetch as typeof fetch, live });
  return new ApolloClient({
    link: ApolloLink.from([
      failures(events),
      trustedDocuments,
      ApolloLink.split(({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION, stream, http),
    ]),
    cache: createCache(),
    clientAwareness: { name: 'ostiary-console', version: session.configuration.version },
    defaultOptions: {
      // Partial results are shown, with a note on the missing fields.
      watchQuery: { errorPolicy: 'all', fetchPolicy: 'cache-and-network', nextFetchPolicy: 'cache-first' },
      query: { errorPolicy: 'all' },
      mutate: { errorPolicy: 'all' },
    },
    devtools: { enabled: import.meta.env.DEV },
  });
}

const trustedDocuments = new ApolloLink((operation, forward) => {
  const id = documentIds[operation.operationName ?? ''];
  if (byId && id !== undefined) {
    operation.setContext({ http: { includeQuery: false, includeExtensions: true } });
    operation.extensions = { ...operation.extensions, persistedQuery: { version: 1, sha256Hash: id } };
  }
  return forward(operation);
});

const failures = (events: ClientEvents): ApolloLink =>
  new ErrorLink(({ error, operation, forward }) => {
    if (error instanceof SignInNeeded) {
      events.signInNeeded();
      return;
    }
    if (!CombinedGraphQLErrors.is(error)) return;
    const demand = error.errors.find(
      ({ extensions }) => extensions?.code === 'INSUFFICIENT_USER_AUTHENTICATION',
    );
    // Only once: if the new sign-in is not sufficient, the operation reports its error.
    if (!demand || operation.getContext().steppedUp === true) return;
    operation.setContext({ steppedUp: true });
    return new Observable((observer) => {
      let subscription: { unsubscribe(): void } | undefined;
      events.stepUp(demand.extensions as StepUpDemand).then((confirmed) => {
        if (confirmed) subscription = forward(operation).subscribe(observer);
        else {
          observer.next({ data: null, errors: error.errors });
          observer.complete();
        }
      }, observer.error.bind(observer));
      return () => subscription?.unsubscribe();
    });
  });
