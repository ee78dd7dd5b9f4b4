// Hive Gateway from its runtime package, which the scenario installs into hive/ when it is asked for: it and its two hundred
// packages are nothing the workspace should carry. It passes the caller's token on and verifies nothing.
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
// It would wait for its connections first.
process.once('SIGTERM', () => process.exit());
createServer(gateway).listen(Number(process.env.PORT), '127.0.0.1', () => process.send('ready'));
