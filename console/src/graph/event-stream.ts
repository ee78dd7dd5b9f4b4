import type { ApolloLink } from '@apollo/client';
import { type DocumentNode, Kind, print } from 'graphql';
import type { Client } from 'graphql-sse';
import type { LiveState } from './live-state.ts';

const maxPauseMs = 5_000;

type Heard = Parameters<Parameters<Client['subscribe']>[1]['next']>[0];

/** Returns the response name of the root field of a subscription. */
function rootField({ definitions }: DocumentNode): string {
  const [operation] = definitions;
  const [field] = operation?.kind === Kind.OPERATION_DEFINITION ? operation.selectionSet.selections : [];
  if (field?.kind !== Kind.FIELD) throw new Error('a subscription has one field');
  return field.alias?.value ?? field.name.value;
}

/** One subscription over successive connections: each resumes where the previous one broke. */
export class EventStream {
  readonly #client: Client;
  readonly #operation: ApolloLink.Operation;
  readonly #live: LiveState;
  readonly #tell: (result: ApolloLink.Result) => void;
  readonly #key: symbol;
  #stop: (() => void) | undefined;
  #isEnded = false;
  #failures = 0;
  #lastEventId: string | undefined;

  constructor({
    client,
    operation,
    live,
    tell,
  }: {
    client: Client;
    operation: ApolloLink.Operation;
    live: LiveState;
    tell(result: ApolloLink.Result): void;
  }) {
    this.#client = client;
    this.#operation = operation;
    this.#live = live;
    this.#tell = tell;
    this.#key = Symbol(operation.operationName);
  }

  connect(): void {
    if (this.#isEnded) return;
    const again = () => this.#again();
    const since = this.#lastEventId;
    this.#stop = this.#client.subscribe(
      this.#request(),
      { next: (result) => this.#hear(result), error: again, complete: again },
      {
        connecting: () => this.#live.set(this.#key, this.#failures === 0 ? 'connecting' : 'lost'),
        connected: () => this.#connected(since),
      } as Parameters<Client['subscribe']>[2],
    );
  }

  end(): void {
    this.#isEnded = true;
    this.#live.set(this.#key, undefined);
    this.#stop?.();
  }

  #again(): void {
    if (this.#isEnded) return;
    this.#failures += 1;
    this.#live.set(this.#key, 'lost');
    const pause = Math.min(maxPauseMs, 500 * 2 ** Math.min(this.#failures, 6));
    setTimeout(() => this.connect(), pause * (0.5 + Math.random() / 2));
  }

  #request(): Parameters<Client['subscribe']>[0] {
    const { operationName, variables, extensions, query } = this.#operation;
    const lastEventId = this.#lastEventId;
    return {
      ...(this.#operation.getContext().http?.includeQuery === false ? {} : { query: print(query) }),
      operationName,
      variables,
      extensions: { ...extensions, ...(lastEventId === undefined ? {} : { lastEventId }) },
    } as Parameters<Client['subscribe']>[0];
  }

  #hear(result: Heard): void {
    const { eventId } = (result.extensions ?? {}) as { eventId?: string };
    if (eventId !== undefined) this.#lastEventId = eventId;
    const code = result.errors?.[0]?.extensions?.code;
    if (!result.data && code !== undefined) {
      this.#refused(code);
      return;
    }
    this.#failures = 0;
    this.#live.set(this.#key, 'live');
    this.#tell(result as ApolloLink.Result);
  }

  #refused(code: unknown): void {
    if (code === 'FORBIDDEN') this.end();
    if (code !== 'RESUME_NOT_POSSIBLE') return;
    this.#lastEventId = undefined;
    this.#notifyMissed();
  }

  #connected(since: string | undefined): void {
    this.#live.set(this.#key, 'live');
    // Without a position, events during the interruption cannot be resumed.
    if (this.#failures > 0 && since === undefined) this.#notifyMissed();
    this.#failures = 0;
  }

  /** Sends an event without content: subscribers read again. Apollo Client drops results without data. */
  #notifyMissed(): void {
    this.#tell({ data: { [rootField(this.#operation.query)]: null } });
  }
}
