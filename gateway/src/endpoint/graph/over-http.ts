import type { ApolloServer, HTTPGraphQLRequest, HTTPGraphQLResponse } from '@apollo/server';
import type { GatewayContext } from '../../federation/graph/index.ts';

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

/**
 * Puts the document that an id in the address of a GET stands for where Apollo Server looks for it. An empty `operationName` is
 * none (GraphQL over HTTP, section 5.4).
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
