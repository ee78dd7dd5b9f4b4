import { setTimeout as sleep } from 'node:timers/promises';
import { type Ending, Failure } from '../failure.ts';
import { ask, objectOf } from '../http.ts';
import type { Operation } from './operation.ts';

/** Source of access tokens. `refused` is a token that the graph has rejected; another one is returned. */
export interface Caller {
  readonly graphUrl: string;
  token(refused?: string): Promise<string>;
}

interface GraphError {
  message: string;
  code: string;
}

export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly path?: readonly string[];
}

const endings: Readonly<Record<string, Ending>> = {
  UNAUTHENTICATED: 'denied',
  FORBIDDEN: 'denied',
  NOT_FOUND: 'notFound',
  BAD_USER_INPUT: 'usage',
  CONFLICT: 'conflict',
  SERVICE_UNAVAILABLE: 'unreachable',
  VERSION_CONFLICT: 'conflict',
  NOT_UNIQUE: 'conflict',
  IDEMPOTENCY_KEY_REUSED: 'conflict',
  INVALID_INPUT: 'usage',
  GRAPHQL_VALIDATION_FAILED: 'failure',
};

const attempts = 4;

/** The graph of one tenant, or of the platform. */
export class Graph {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Queries are retried while the graph is temporarily unavailable. Mutations are not: they carry an idempotency key
   * where a repetition matters.
   * @throws Failure
   */
  async ask<Result, Variables>(
    operation: Operation<Result, Variables>,
    variables: Variables,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      const { data, errors } = await this.#post(operation, variables);
      if (errors.length === 0 && data !== undefined) return data as Result;
      const busy = errors.every(({ code }) => code === 'SERVICE_UNAVAILABLE');
      if (busy && operation.text.startsWith('query') && attempt < attempts) {
        await sleep(250 * attempt);
        continue;
      }
      throw failureOf(errors, operation.name);
    }
  }

  /** Yields all entries of a connection, page by page. */
  async *all<Result, Variables extends { after?: string | null | undefined }, Node>(
    operation: Operation<Result, Variables>,
    variables: Omit<Variables, 'after'>,
    connectionOf: (result: Result) => Connection<Node> | null | undefined,
  ): AsyncGenerator<NonNullable<Node>> {
    let after: string | null | undefined;
    do {
      const connection = connectionOf(await this.ask(operation, { ...variables, after } as Variables));
      if (!connection) return;
      for (const { node } of connection.edges) if (node) yield node;
      after = connection.pageInfo.hasNextPage ? connection.pageInfo.endCursor : undefined;
    } while (after);
  }

  async #post(
    operation: Operation<unknown, never>,
    variables: unknown,
  ): Promise<{ data: unknown; errors: GraphError[] }> {
    let token = await this.#caller.token();
    for (let renewed = false; ; renewed = true) {
      const answer = await ask(this.#caller.graphUrl, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json',
        },
        body: JSON.stringify({ query: operation.text, operationName: operation.name, variables }),
      });
      if (answer.status === 401 && !renewed) {
        token = await this.#caller.token(token);
        continue;
      }
      if (answer.status === 429) {
        const seconds = answer.headers.get('retry-after') ?? 'some';
        throw new Failure('unreachable', `Too many requests: try again in ${seconds} seconds.`);
      }
      const { data, errors } = objectOf(answer, 'The graph');
      return { data: data ?? undefined, errors: errorsOf(errors, answer.status) };
    }
  }
}

interface Connection<Node> {
  edges: readonly { node: Node }[];
  pageInfo: { hasNextPage: boolean; endCursor?: string | null };
}

function errorsOf(errors: unknown, status: number): GraphError[] {
  if (Array.isArray(errors)) {
    return errors.map((error: { message?: unknown; extensions?: { code?: unknown } }) => ({
      message: String(error?.message ?? 'no message'),
      code: String(error?.extensions?.code ?? ''),
    }));
  }
  return status < 400 ? [] : [{ message: `The graph returned status ${status}.`, code: codeOf(status) }];
}

const codeOf = (status: number): string =>
  ({ 401: 'UNAUTHENTICATED', 403: 'FORBIDDEN', 404: 'NOT_FOUND', 503: 'SERVICE_UNAVAILABLE' })[status] ?? '';

function failureOf(errors: readonly GraphError[], name: string): Failure {
  const [first = { message: `The graph returned no result of ${name}.`, code: '' }] = errors;
  const ending = endings[first.code] ?? 'failure';
  const next: Partial<Record<Ending, string[]>> = {
    denied:
      first.code === 'UNAUTHENTICATED'
        ? ['ostiary login', 'ostiary whoami shows the user or client of the command.']
        : ['ostiary whoami shows the user or client of the command and its scopes.'],
    unreachable: ['ostiary doctor'],
  };
  return new Failure(ending, first.message, next[ending] ?? []);
}

/** Returns the payload of a successful mutation. @throws Failure for its first problem */
export function made<Payload extends { problems: readonly Problem[] }>(
  payload: Payload | null | undefined,
): Payload {
  if (!payload) throw new Failure('failure', 'The graph returned no result.');
  const [problem] = payload.problems;
  if (problem === undefined) return payload;
  const where = problem.path?.length ? ` (${problem.path.join('.')})` : '';
  throw new Failure(endings[problem.code] ?? 'conflict', `${problem.message}${where}`, [
    ...(problem.code === 'VERSION_CONFLICT'
      ? ['Check its current state, then run the same command again.']
      : []),
  ]);
}
