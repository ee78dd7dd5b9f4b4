import type { ApolloServer, HTTPGraphQLRequest, HTTPGraphQLResponse } from '@apollo/server';
import type { GatewayContext } from '../../federation/graph/context.ts';

type Executes = Pick<ApolloServer<GatewayContext>, 'executeHTTPGraphQLRequest'>;

/** Error codes of requests that GraphQL itself rejects. */
const refusedByGraph = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_USER_INPUT',
]);

/**
 * Adds the part of GraphQL over HTTP that Apollo Server lacks: a well-formed request gets 200 from clients that
 * accept `application/json`, even when GraphQL rejects it. Clients that accept `application/graphql-response+json`
 * get the matching status.
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
