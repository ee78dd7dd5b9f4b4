import type { Demo } from './demo.ts';
import type { Operation } from './operation.ts';
import { Me, People } from './operations.ts';

export interface GraphError {
  message: string;
  path?: (string | number)[];
  extensions?: { code?: string };
}

export interface GraphAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any JSON
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

/** Executes a typed operation of e2e/graph/operations. @throws Error with the answer when it failed */
export async function execute<Data, Variables extends Record<string, unknown>>(
  demo: Pick<Demo, 'graphql'>,
  token: string,
  operation: Operation<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { data, errors } = await graph(demo, token, operation.text, variables);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return data as Data;
}

/** Federated query of users: directory, auth and provisioning in one answer. */
export const usersQuery = People.text;

export const meQuery = Me.text;
