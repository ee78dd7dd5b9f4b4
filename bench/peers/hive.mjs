// Hive Gateway from its runtime package. The scenario installs it into hive/ on request, because its two hundred
// packages should not be part of the workspace. It forwards the caller's token and verifies nothing.
import { createServer } from 'node:http';

const { createGatewayRuntime } = await import(process.env.HIVE);

const gateway = createGatewayRuntime({
  supergraph: process.env.SUPERGRAPH,
  logging: false,
  landingPage: false,
  graphiql: false,
  propagateHeaders: {
    fromClientToSubgraphs: ({ request }) => ({ authorization: request.headers.get('authorization') }),
  },
});
// Exits without waiting for open connections.
process.once('SIGTERM', () => process.exit());
createServer(gateway).listen(Number(process.env.PORT), '127.0.0.1', () => process.send('ready'));
