import type { ApolloServer } from '@apollo/server';
import type { HeaderSink } from '@ostiary/graph';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { AskedOperation } from '../domain/asked-operation.ts';
import type { FastPathContext } from './operation-cache.ts';

type Executes<C extends FastPathContext> = Pick<ApolloServer<C>, 'executeHTTPGraphQLRequest'>;

/** Answers known operations; undefined where Apollo Server has to execute it, with the same context. */
interface AnswersKnown<C> {
  answerKnown(
    asked: AskedOperation,
    context: C,
    headers: HeaderSink,
  ): Promise<{ data: Record<string, unknown> } | undefined>;
}

/** Maximum number of cached `Accept` values. Clients use few; one that invents many must not evict the others'. */
const mostMediaTypes = 100;

/**
 * Answers POSTs whose operation is known (see `OperationCache`) as Apollo Server would. The media type for an
 * `Accept` header is taken from earlier responses of Apollo Server.
 */
export class FastPathOverHttp<C extends FastPathContext> {
  readonly #graph: AnswersKnown<C>;
  readonly #mediaTypes = new LRUCache<string, string>({ max: mostMediaTypes });

  constructor(graph: AnswersKnown<C>) {
    this.#graph = graph;
  }

  /** Records the media types that Apollo Server chooses. */
  learning(graph: Executes<C>): Executes<C> {
    return {
      executeHTTPGraphQLRequest: async (request) => {
        const response = await graph.executeHTTPGraphQLRequest(request);
        const { method, headers } = request.httpGraphQLRequest;
        const accept = headers.get('accept') ?? '';
        const mediaType = response.headers.get('content-type');
        const isOk = response.status === undefined || response.status === 200;
        if (method === 'POST' && isOk && mediaType && accept.length < 300) {
          // An evicted value is recorded again with Apollo Server's next response.
          this.#mediaTypes.set(accept, mediaType);
        }
        return response;
      },
    };
  }

  /** @returns the body; undefined where Apollo Server has to answer */
  readonly answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    context: C,
  ): Promise<string | undefined> => {
    const mediaType = this.#mediaTypes.get(request.headers.accept ?? '');
    const asked = mediaType === undefined ? undefined : supportedRequest(request);
    if (!mediaType || !asked) return undefined;
    const set = (name: string, value: string): void => void reply.header(name, value);
    const answer = await this.#graph.answerKnown(asked, context, { set });
    if (!answer) return undefined;
    set('content-type', mediaType);
    return `${JSON.stringify({ data: answer.data })}\n`;
  };
}

/** Returns the operation of a well-formed POST without extensions; undefined for any other request. */
function supportedRequest({ method, body }: FastifyRequest): AskedOperation | undefined {
  if (method !== 'POST' || typeof body !== 'object' || body === null) return undefined;
  const { query, operationName, variables, extensions } = body as Readonly<Record<string, unknown>>;
  if (typeof query !== 'string' || (extensions !== undefined && extensions !== null)) return undefined;
  const asked: AskedOperation = { query };
  if (operationName !== undefined && operationName !== null) {
    if (typeof operationName !== 'string' || operationName === '') return undefined;
    asked.operationName = operationName;
  }
  if (variables !== undefined && variables !== null) {
    if (typeof variables !== 'object' || Array.isArray(variables)) return undefined;
    asked.variables = variables as Record<string, unknown>;
  }
  return asked;
}
