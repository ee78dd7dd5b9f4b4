import type { ApolloServer } from '@apollo/server';
import type { HeaderSink } from '@ostiary/graph';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { AskedOperation } from '../domain/asked-operation.ts';
import type { FastPathContext } from './operation-cache.ts';

type Executes<C extends FastPathContext> = Pick<ApolloServer<C>, 'executeHTTPGraphQLRequest'>;

/** Answers what is known; undefined where Apollo Server has to execute it, with the same context. */
interface AnswersKnown<C> {
  answerKnown(
    asked: AskedOperation,
    context: C,
    headers: HeaderSink,
  ): Promise<{ data: Record<string, unknown> } | undefined>;
}

/** Values of `Accept` that are remembered: clients have few of them, and a client that makes up many must not displace the others'. */
const mostMediaTypes = 100;

/**
 * Answers POSTs whose operation is known (see `OperationCache`) with what Apollo Server would answer. Which media type a client
 * gets for its `Accept` is Apollo Server's to say: it is remembered from its answers.
 */
export class FastPathOverHttp<C extends FastPathContext> {
  readonly #graph: AnswersKnown<C>;
  readonly #mediaTypes = new LRUCache<string, string>({ max: mostMediaTypes });

  constructor(graph: AnswersKnown<C>) {
    this.#graph = graph;
  }

  /** Learns from what Apollo Server answers. */
  learning(graph: Executes<C>): Executes<C> {
    return {
      executeHTTPGraphQLRequest: async (request) => {
        const response = await graph.executeHTTPGraphQLRequest(request);
        const { method, headers } = request.httpGraphQLRequest;
        const accept = headers.get('accept') ?? '';
        const mediaType = response.headers.get('content-type');
        const isOk = response.status === undefined || response.status === 200;
        if (method === 'POST' && isOk && mediaType && accept.length < 300) {
          // What is asked for with what has gone is answered by Apollo Server, and is learned again.
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

/** What a POST asks for when it is well-formed and asks for nothing special. */
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
