// Apollo's gateway as documented: its own HTTP server and transport to the subgraphs. It forwards the caller's token
// and verifies nothing.
import { readFile } from 'node:fs/promises';
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';

process.env.APOLLO_TELEMETRY_DISABLED = '1';

class PassingOn extends RemoteGraphQLDataSource {
  willSendRequest({ request, context }) {
    if (context.authorization) request.http.headers.set('authorization', context.authorization);
  }
}

const gateway = new ApolloGateway({
  supergraphSdl: await readFile(process.env.SUPERGRAPH, 'utf8'),
  buildService: ({ url }) => new PassingOn({ url }),
  logger: { debug() {}, info() {}, warn() {}, error: console.error },
});
const server = new ApolloServer({ gateway, introspection: false, csrfPrevention: false });
await startStandaloneServer(server, {
  listen: { port: Number(process.env.PORT), host: '127.0.0.1' },
  context: async ({ req }) => ({ authorization: req.headers.authorization }),
});
process.send('ready');
