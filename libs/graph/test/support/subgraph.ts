import { type Issuer, publicOrigin } from '@ostiary/access/testing';
import { createHttp, createKit, type ServiceKit } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import { type SubgraphOptions, subgraphPlugin } from '../../src/index.ts';

export const federation = `
extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@external", "@requires", "@listSize", "@composeDirective"])
`;

export interface GraphResponse {
  status: number;
  headers: Headers;
  body: {
    data?: Record<string, unknown> | null;
    errors?: {
      message: string;
      path?: (string | number)[];
      extensions: { code: string; [name: string]: unknown };
    }[];
  };
}

export interface RunningSubgraph {
  app: FastifyInstance;
  kit: ServiceKit;
  url: string;
  ask(
    query: string,
    options?: { token?: string; variables?: object; headers?: Record<string, string> },
  ): Promise<GraphResponse>;
  close(): Promise<void>;
}

/** Serves a subgraph on a free port. */
export async function serveSubgraph<L>(
  issuer: Issuer,
  options: Pick<SubgraphOptions<L>, 'typeDefs' | 'resolvers' | 'loaders'> & Partial<SubgraphOptions<L>>,
  logStream?: { write(line: string): void },
): Promise<RunningSubgraph> {
  const kit = createKit({
    name: 'test',
    logLevel: logStream ? 'info' : 'silent',
    ...(logStream ? { logStream } : {}),
  });
  const app = createHttp(kit);
  await app.register(
    subgraphPlugin({ name: 'test', verifier: issuer.verifier, publicOrigin, kit, ...options }),
  );
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    app,
    kit,
    url,
    close: () => app.close(),
    async ask(query, { token, variables, headers } = {}) {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...headers,
        },
        body: JSON.stringify({ query, variables }),
      });
      return {
        status: response.status,
        headers: response.headers,
        body: (await response.json()) as GraphResponse['body'],
      };
    },
  };
}
