import { possessionHeader } from '@ostiary/graph';
import {
  currentAddress,
  currentRequestId,
  currentTraceparent,
  currentUserAgent,
  SpanKind,
  withSpan,
} from '@ostiary/service';
import type { GraphQLFormattedError } from 'graphql';
import type { Dispatcher } from 'undici';
import { brokeOff, type Upstream } from '../upstream.ts';
import { failedFields } from './failed-fields.ts';

export interface SubgraphRequest {
  query: string;
  variables?: Record<string, unknown>;
  operationName?: string;
  /** The caller's Authorization header, passed on: each subgraph verifies it itself. */
  authorization: string | undefined;
}

export interface SubgraphResponse {
  data?: Record<string, unknown> | null;
  errors?: GraphQLFormattedError[];
}

export interface SubgraphSourceOptions {
  timeoutMs: number;
  /** Largest answer that is read, in bytes. */
  answerLimit?: number;
  onUnavailable: (subgraph: string, cause: unknown) => void;
  /** This process's own token for the subgraph: it goes with a caller's token whose proof was checked here. */
  voucher?: () => Promise<string>;
}

// What a subgraph says with these is meant for the client. Anything else (a plan it can't validate, say) means that
// gateway and subgraph disagree, which is ours to look into and not the client's to read about.
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
 * Sends the operations of a query plan to one subgraph. Takes the place of Apollo's RemoteGraphQLDataSource, which
 * spends several times the processor time on small answers and tells clients the subgraph's address when it fails.
 */
export class SubgraphSource {
  readonly #upstream: Upstream;
  readonly #options: SubgraphSourceOptions;

  constructor(upstream: Upstream, options: SubgraphSourceOptions) {
    this.#upstream = upstream;
    this.#options = options;
  }

  /**
   * Never rejects: when the subgraph doesn't answer properly, every field asked of it gets a SERVICE_UNAVAILABLE
   * error with its path, so that the rest of the operation still succeeds.
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
      return { errors: failedFields(request, 'SERVICE_UNAVAILABLE') };
    }
  }

  async #send(request: SubgraphRequest): Promise<SubgraphResponse> {
    const { query, variables, operationName } = request;
    const call: Dispatcher.RequestOptions = {
      method: 'POST',
      path: '/graphql',
      headers: await this.#headersOf(request),
      body: JSON.stringify({ query, variables, operationName }),
    };
    const signal = AbortSignal.timeout(this.#options.timeoutMs);
    // A mutation may have had its effect before the connection broke: only reads are sent twice.
    const again = !query.startsWith('mutation');
    let response: Dispatcher.ResponseData;
    try {
      response = await this.#upstream.pool.request({ ...call, signal });
    } catch (error) {
      if (!again || !brokeOff(error)) throw error;
      response = await this.#upstream.pool.request({ ...call, signal });
    }
    return read(response, this.#options.answerLimit ?? defaultAnswerLimit);
  }

  async #headersOf(request: SubgraphRequest): Promise<Record<string, string>> {
    const headers = headersOf(request);
    const { voucher } = this.#options;
    // Bound tokens come by the scheme DPoP and no other (RFC 9449 §7.1).
    if (voucher && /^DPoP /i.test(request.authorization ?? '')) headers[possessionHeader] = await voucher();
    return headers;
  }
}

function headersOf(request: SubgraphRequest): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
  if (request.authorization !== undefined) headers.authorization = request.authorization;
  const requestId = currentRequestId();
  if (requestId !== undefined) headers['x-request-id'] = requestId;
  // For the logs of who changed what from where: subgraphs believe it of their trusted proxies only.
  const address = currentAddress();
  if (address !== undefined) headers['x-forwarded-for'] = address;
  const userAgent = currentUserAgent();
  if (userAgent !== undefined) headers['user-agent'] = userAgent;
  const traceparent = currentTraceparent();
  if (traceparent !== undefined) headers.traceparent = traceparent;
  return headers;
}

async function read({ statusCode, body }: Dispatcher.ResponseData, limit: number): Promise<SubgraphResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop by throwing destroys the body, and with it the connection.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new Error(`the answer is larger than ${limit} bytes`);
    chunks.push(chunk);
  }
  const text = chunks.length === 1 ? chunks[0]?.toString('utf8') : Buffer.concat(chunks).toString('utf8');
  if (statusCode >= 500) throw new Error(`answered ${statusCode}`);
  const answer: unknown = JSON.parse(text ?? '');
  if (!isAnswer(answer)) throw new Error(`answered ${statusCode} with something that is no GraphQL response`);
  return answer;
}

function isAnswer(value: unknown): value is SubgraphResponse {
  if (typeof value !== 'object' || value === null) return false;
  const { data, errors } = value as { data?: unknown; errors?: unknown };
  return (typeof data === 'object' && data !== null) || (Array.isArray(errors) && errors.length > 0);
}

/** Errors with a code for clients, each at the field it concerns: a refused request concerns all of its fields. */
function located(request: SubgraphRequest, { data, errors }: SubgraphResponse): SubgraphResponse {
  if (!errors) return { data: data ?? null };
  const shown = errors.flatMap((error) => {
    const code = passedOn.has(String(error.extensions?.code)) ? String(error.extensions?.code) : undefined;
    if (error.path === undefined && !data)
      return failedFields(request, code ?? 'INTERNAL_SERVER_ERROR', error.message);
    if (code !== undefined) return [error];
    return [{ ...error, extensions: { ...error.extensions, code: 'INTERNAL_SERVER_ERROR' } }];
  });
  return { data: data ?? null, errors: shown };
}
