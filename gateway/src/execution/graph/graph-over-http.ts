import { HeaderMap, type HTTPGraphQLRequest, type HTTPGraphQLResponse } from '@apollo/server';
import { httpRequestOf } from '@ostiary/graph';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { GatewayContext } from './context.ts';
import type { AskedOperation } from './operation-cache.ts';
import type { ServedGraph } from './served-graph.ts';

/** Maximum number of cached `Accept` values. Clients use few; one that invents many must not evict the others'. */
const maxMediaTypes = 100;

/** Error codes of requests that GraphQL itself rejects. */
const refusedByGraph = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_USER_INPUT',
]);

/**
 * Executes requests over HTTP. The media type for an `Accept` header is taken from earlier responses of Apollo Server.
 *
 * It adds the part of GraphQL over HTTP that Apollo Server lacks: a well-formed request gets 200 from clients that
 * accept `application/json`, even when GraphQL rejects it. Clients that accept `application/graphql-response+json`
 * get the matching status.
 */
export class GraphOverHttp {
  readonly #graph: ServedGraph;
  readonly #mediaTypes = new LRUCache<string, string>({ max: maxMediaTypes });

  constructor(graph: ServedGraph) {
    this.#graph = graph;
  }

  readonly execute = (request: FastifyRequest, context: GatewayContext): Promise<HTTPGraphQLResponse> => {
    const mediaType = this.#mediaTypes.get(request.headers.accept ?? '');
    const headers = new HeaderMap();
    return this.#graph.execute<HTTPGraphQLResponse>({
      operation: mediaType === undefined ? undefined : operationOf(request),
      context,
      headers,
      respond: (data) => {
        headers.set('content-type', mediaType ?? '');
        return { headers, body: { kind: 'complete', string: `${JSON.stringify({ data })}\n` } };
      },
      byServer: async (server) => {
        const response = await server.executeHTTPGraphQLRequest({
          httpGraphQLRequest: withDocument(httpRequestOf(request)),
          context: async () => context,
        });
        this.#learn(request, response);
        if (response.status === 400 && isLegacyJson(response) && isRefusal(response)) response.status = 200;
        return response;
      },
    });
  };

  /** Records the media type that Apollo Server has chosen. */
  #learn(
    { method, headers: { accept = '' } }: FastifyRequest,
    { status, headers }: HTTPGraphQLResponse,
  ): void {
    const mediaType = headers.get('content-type');
    const isOk = status === undefined || status === 200;
    // An evicted value is recorded again with Apollo Server's next response.
    if (method === 'POST' && isOk && mediaType && accept.length < 300)
      this.#mediaTypes.set(accept, mediaType);
  }
}

/** Returns the operation of a well-formed POST without extensions; undefined for any other request. */
function operationOf({ method, body }: FastifyRequest): AskedOperation | undefined {
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

/**
 * Puts the document for the id in the address of a GET where Apollo Server expects it. An empty `operationName`
 * counts as none (GraphQL over HTTP, §5.4).
 */
function withDocument(request: HTTPGraphQLRequest): HTTPGraphQLRequest {
  if (request.method !== 'GET') return request;
  const search = new URLSearchParams(request.search);
  const names = search.getAll('operationName');
  const isUnnamed = names.length === 1 && names[0] === '';
  if (isUnnamed) search.delete('operationName');
  if (typeof request.body !== 'object' || request.body === null) {
    return isUnnamed ? { ...request, search: `?${search}` } : request;
  }
  const { query, extensions } = request.body as { query?: unknown; extensions?: unknown };
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
