import { createServer, type Server, type Socket } from 'node:net';

/** What a service got on one connection, as text, byte for byte. */
export interface RawConnection {
  readonly socket: Socket;
  received: string;
  /** How often something arrived. */
  reads: number;
  closed: boolean;
}

/** A service that answers what it is told to, bytes and all: for what no HTTP library would send. */
export class RawUpstream {
  readonly connections: RawConnection[] = [];
  /** Called whenever something has arrived. */
  onData: (connection: RawConnection) => void = () => undefined;
  readonly #server: Server;
  /** How much of what came on a connection was answered. */
  readonly #done = new WeakMap<RawConnection, number>();

  private constructor() {
    this.#server = createServer((socket) => {
      const connection: RawConnection = { socket, received: '', reads: 0, closed: false };
      this.connections.push(connection);
      socket.on('data', (chunk) => {
        connection.received += chunk.toString('latin1');
        connection.reads += 1;
        this.onData(connection);
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        connection.closed = true;
      });
    });
  }

  static async start(): Promise<RawUpstream> {
    const upstream = new RawUpstream();
    await new Promise<void>((resolve) => upstream.#server.listen(0, '127.0.0.1', resolve));
    return upstream;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Everything that arrived since it was last reset. */
  get received(): string {
    return this.connections.map(({ received }) => received).join('');
  }

  /** How many requests arrived since it was last reset. */
  get requests(): number {
    return this.received.match(/ HTTP\/1\.1\r\n/g)?.length ?? 0;
  }

  /** From now on each request whose head and announced body are there is answered with these bytes. */
  answer(bytes: string | ((request: string) => string)): void {
    this.onData = (connection) => {
      for (;;) {
        const text = connection.received.slice(this.#done.get(connection) ?? 0);
        const rest = afterRequest(text);
        if (rest === undefined) return;
        this.#done.set(connection, connection.received.length - rest.length);
        connection.socket.write(typeof bytes === 'string' ? bytes : bytes(text), 'latin1');
      }
    };
  }

  /** Ends the connections there are, and forgets what came. */
  reset(): void {
    for (const { socket } of this.connections.splice(0)) socket.destroy();
    this.onData = () => undefined;
  }

  async stop(): Promise<void> {
    this.reset();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** What follows the first request of a text; undefined while not all of it is there. Bodies are announced here by their length. */
function afterRequest(text: string): string | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = text.slice(0, end);
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  const rest = text.slice(end + 4);
  return rest.length < length ? undefined : rest.slice(length);
}
