import type { ApolloServer, HTTPGraphQLRequest, HTTPGraphQLResponse } from '@apollo/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { OperationRequest } from '../../admission/http/admission.ts';
import type { AskedOperation } from '../../fast-path/graph/operation-cache.ts';
import type { GatewayContext } from '../../federation/graph/context.ts';
import type { ServedGraph } from '../../federation/graph/served-graph.ts';

type Executes = Pick<ApolloServer<GatewayContext>, 'executeHTTPGraphQLRequest'>;

/** Codes of requests that were understood and refused by GraphQL itself. */
const refusedByGraph = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_USER_INPUT',
]);

/**
 * What GraphQL over HTTP asks of a server beyond what Apollo Server does: a well-formed request is answered with 200 to
 * clients that want `application/json`, whatever GraphQL says to it; those that want `application/graphql-response+json`
 * get the status that fits.
 */
export function overHttp(graph: Executes): Executes {
  return {
    async executeHTTPGraphQLRequest({ httpGraphQLRequest, context }) {
      const response = await graph.executeHTTPGraphQLRequest({
        httpGraphQLRequest: withDocument(httpGraphQLRequest),
        context,
      });
      if (response.status === 400 && isLegacyJson(response) && isRefusal(response)) response.status = 200;
      return response;
    },
  };
}

/** Values of `Accept` that are remembered: clients have few of them, and who makes up many must not keep out the others'. */
const mostMediaTypes = 100;

/**
 * Answers POSTs whose operation is known (see `KnownOperations`) with what Apollo Server would answer. Which media type a client
 * gets for its `Accept` is Apollo Server's to say: it is remembered from its answers.
 */
export class KnownOverHttp {
  readonly #graph: Pick<ServedGraph, 'answerKnown'>;
  readonly #mediaTypes = new LRUCache<string, string>({ max: mostMediaTypes });

  constructor(graph: Pick<ServedGraph, 'answerKnown'>) {
    this.#graph = graph;
  }

  /** Learns from what Apollo Server answers. */
  learning(graph: Executes): Executes {
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
    context: GatewayContext,
  ): Promise<string | undefined> => {
    const mediaType = this.#mediaTypes.get(request.headers.accept ?? '');
    const asked = mediaType === undefined ? undefined : plainly(request);
    if (!mediaType || !asked) return undefined;
    const set = (name: string, value: string): void => void reply.header(name, value);
    const answer = await this.#graph.answerKnown(asked, context, { set });
    if (!answer) return undefined;
    set('content-type', mediaType);
    return `${JSON.stringify({ data: answer.data })}\n`;
  };
}

/** What a POST asks for when it is well-formed and asks for nothing special. */
function plainly({ method, body }: FastifyRequest): AskedOperation | undefined {
  if (method !== 'POST' || typeof body !== 'object' || body === null) return undefined;
  const { query, operationName, variables, extensions } = body as OperationRequest;
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

/** Puts the document that an id in the address of a GET stands for where Apollo Server looks for it. */
function withDocument(request: HTTPGraphQLRequest): HTTPGraphQLRequest {
  if (request.method !== 'GET' || typeof request.body !== 'object' || request.body === null) return request;
  const { query, extensions } = request.body as OperationRequest;
  const search = new URLSearchParams(request.search);
  search.delete('documentId');
  search.delete('extensions');
  if (typeof query === 'string') search.set('query', query);
  if (extensions !== undefined) search.set('extensions', JSON.stringify(extensions));
  return { ...request, search: `?${search}`, body: undefined };
}

const isLegacyJson = ({ headers }: HTTPGraphQLResponse): boolean =>
  headers.get('content-type')?.startsWith('application/json') ?? false;

function isRefusal({ body }: HTTPGraphQLResponse): boolean {
  if (body.kind !== 'complete') return false;
  const { errors = [] } = JSON.parse(body.string) as { errors?: { extensions?: { code?: string } }[] };
  return errors.length > 0 && errors.every(({ extensions }) => refusedByGraph.has(extensions?.code ?? ''));
}
