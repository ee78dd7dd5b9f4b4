import { possessionHeader } from '@ostiary/graph';
import {
  currentAddress,
  currentRequestId,
  currentTraceparent,
  currentUserAgent,
  isUnsent,
  type Neighbours,
  neighbourHeader,
  SpanKind,
  withSpan,
} from '@ostiary/service';
import type { GraphQLFormattedError } from 'graphql';
import { brokeOff, type Upstream } from '../../upstreams/index.ts';
import { failedFields } from './failed-fields.ts';
import { type CallAnswer, post } from './subgraph-call.ts';

export interface SubgraphRequest {
  query: string;
  variables?: Record<string, unknown>;
  operationName?: string;
  /** The caller's Authorization header. Each subgraph verifies the token itself. */
  authorization: string | undefined;
}

export interface SubgraphResponse {
  data?: Record<string, unknown> | null;
  errors?: GraphQLFormattedError[];
  /** The unparsed response; absent when it was changed. */
  text?: string;
}

export interface SubgraphSourceOptions {
  timeoutMs: number;
  /** Maximum size of a response in bytes. */
  answerLimit?: number;
  onUnavailable: (subgraph: string, cause: unknown) => void;
  /** Returns this process's token for the subgraph. It accompanies a caller's token whose proof was verified here. */
  voucher?: () => Promise<string>;
  /** Proves to the subgraph that the operation comes from a process of the installation. */
  neighbours?: Neighbours | undefined;
}

// Codes whose messages are meant for clients. Any other code (a plan that the subgraph cannot validate, for example)
// means that gateway and subgraph disagree, an internal error.
const passedOn = new Set([
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'INSUFFICIENT_USER_AUTHENTICATION',
  'NOT_FOUND',
  'BAD_USER_INPUT',
  'CONFLICT',
  'SERVICE_UNAVAILABLE',
]);

const defaultAnswerLimit = 16 * 1024 * 1024;

/**
 * Sends the operations of a query plan to one subgraph. Replaces Apollo's RemoteGraphQLDataSource, which takes
 * several times the processor time for small responses and reveals the subgraph's address in errors.
 */
export class SubgraphSource {
  readonly #upstream: Upstream;
  readonly #options: SubgraphSourceOptions;

  constructor(upstream: Upstream, options: SubgraphSourceOptions) {
    this.#upstream = upstream;
    this.#options = options;
  }

  /**
   * Never rejects. When the subgraph gives no valid response, every requested field gets a SERVICE_UNAVAILABLE error
   * with its path and the service's name, so that the rest of the operation succeeds.
   */
  async execute(request: SubgraphRequest): Promise<SubgraphResponse> {
    const { name } = this.#upstream;
    try {
      const response = await withSpan(
        `graphql ${name}`,
        { kind: SpanKind.CLIENT, attributes: { 'peer.service': name } },
        () => this.#send(request),
      );
      return located(request, response);
    } catch (error) {
      this.#options.onUnavailable(name, error);
      return { errors: failedFields(request, 'SERVICE_UNAVAILABLE', { service: name }) };
    }
  }

  async #send(request: SubgraphRequest): Promise<SubgraphResponse> {
    const { query, variables, operationName } = request;
    const { timeoutMs, answerLimit = defaultAnswerLimit, neighbours } = this.#options;
    const headers = headersOf(request);
    if (neighbours) headers.push(neighbourHeader, neighbours.value());
    // Bound tokens are presented with the scheme DPoP only (RFC 9449 §7.1).
    const { voucher } = this.#options;
    if (voucher && /^DPoP /i.test(request.authorization ?? ''))
      headers.push(possessionHeader, await voucher());
    const body = JSON.stringify({ query, variables, operationName });
    const until = performance.now() + timeoutMs;
    const send = (ms: number): Promise<CallAnswer> =>
      post(this.#upstream.pool, { headers, body, timeoutMs: ms, answerLimit });
    // A mutation may have taken effect before the connection broke. Only queries and unsent requests are repeated.
    const again = !query.startsWith('mutation');
    try {
      return read(await send(timeoutMs));
    } catch (error) {
      const left = until - performance.now();
      const mayRepeat = isUnsent(error) || (again && brokeOff(error));
      if (!mayRepeat || left <= 0) throw error;
      return read(await send(left));
    }
  }
}

/** Names and values in turn. */
function headersOf(request: SubgraphRequest): string[] {
  const headers = ['content-type', 'application/json', 'accept', 'application/json'];
  const add = (name: string, value: string | undefined): void => {
    if (value !== undefined) headers.push(name, value);
  };
  add('authorization', request.authorization);
  add('x-request-id', currentRequestId());
  // For the logs of the origin of changes. Subgraphs accept them from their trusted proxies only.
  add('x-forwarded-for', currentAddress());
  add('user-agent', currentUserAgent());
  add('traceparent', currentTraceparent());
  return headers;
}

function read({ statusCode, text }: CallAnswer): SubgraphResponse {
  if (statusCode >= 500) throw new Error(`returned ${statusCode}`);
  const answer: unknown = JSON.parse(text);
  if (!isAnswer(answer)) throw new Error(`returned ${statusCode} without a GraphQL response`);
  return answer.errors ? answer : { data: answer.data ?? null, text };
}

function isAnswer(value: unknown): value is SubgraphResponse {
  if (typeof value !== 'object' || value === null) return false;
  const { data, errors } = value as { data?: unknown; errors?: unknown };
  return (typeof data === 'object' && data !== null) || (Array.isArray(errors) && errors.length > 0);
}

/**
 * Returns the response with a code for clients in each error. An error of the whole request becomes one for each
 * field.
 */
function located(request: SubgraphRequest, response: SubgraphResponse): SubgraphResponse {
  const { data, errors } = response;
  if (!errors) return response;
  const shown = errors.flatMap((error) => {
    const code = passedOn.has(String(error.extensions?.code)) ? String(error.extensions?.code) : undefined;
    if (error.path === undefined && !data)
      return failedFields(request, code ?? 'INTERNAL_SERVER_ERROR', { message: error.message });
    const coded =
      code === undefined
        ? { ...error, extensions: { ...error.extensions, code: 'INTERNAL_SERVER_ERROR' } }
        : error;
    // All entities failed together. The field `_entities` does not exist for clients.
    if (error.path?.join() === '_entities') {
      return failedFields(request, 'INTERNAL_SERVER_ERROR').map(({ path }) =>
        path ? { ...coded, path } : coded,
      );
    }
    return [coded];
  });
  return { data: data ?? null, errors: shown };
}
