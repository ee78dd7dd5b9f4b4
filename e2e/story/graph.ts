import type { Demo } from './demo.ts';

export interface GraphError {
  message: string;
  path?: (string | number)[];
  extensions?: { code?: string };
}

export interface GraphAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look at whatever JSON came back
  data: any;
  errors: GraphError[];
}

export async function graph(
  demo: Pick<Demo, 'graphql'>,
  token: string | undefined,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<GraphAnswer> {
  const response = await fetch(demo.graphql, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query, variables }),
  });
  const body = (await response.json()) as { data?: unknown; errors?: GraphError[] };
  return { status: response.status, headers: response.headers, data: body.data, errors: body.errors ?? [] };
}

/** The federated query every app starts from: directory, auth and provisioning in one answer. */
export const peopleQuery = `
  query People($first: Int!) {
    users(first: $first) {
      totalCount
      pageInfo { hasNextPage endCursor }
      edges { node {
        id userName displayName active emails { value type primary }
        groups { id displayName }
        sessions { id createdAt lastSeenAt }
        provisioning { source { name } externalId lastChangedAt } } } } }`;

export const meQuery = `
  query { me { id userName displayName emails { value } groups { id displayName } sessions { id lastSeenAt } } }`;
