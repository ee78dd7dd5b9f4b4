import { createServer, type Server, type Socket } from 'node:net';

/** Data received by a service on one connection, byte for byte. */
export interface RawConnection {
  readonly socket: Socket;
  received: string;
  /** Number of data events. */
  reads: number;
  closed: boolean;
}

/** A service with configurable responses on the level of bytes, including ones that no HTTP library would send. */
export class RawUpstream {
  readonly connections: RawConnection[] = [];
  /** Called after each data event. */
  onData: (connection: RawConnection) => void = () => undefined;
  readonly #server: Server;
  /** Number of characters of a connection that were answered. */
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

  /** Data received since the last reset. */
  get received(): string {
    return this.connections.map(({ received }) => received).join('');
  }

  /** Number of requests since the last reset. */
  get requests(): number {
    return this.received.match(/ HTTP\/1\.1\r\n/g)?.length ?? 0;
  }

  /** Answers each complete request (head and announced body) with these bytes from now on. */
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

  /** Closes all connections and discards the received data. */
  reset(): void {
    for (const { socket } of this.connections.splice(0)) socket.destroy();
    this.onData = () => undefined;
  }

  async stop(): Promise<void> {
    this.reset();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Returns the text after the first request; undefined while it is incomplete. Bodies need a Content-Length. */
function afterRequest(text: string): string | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = text.slice(0, end);
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  const rest = text.slice(end + 4);
  return rest.length < length ? undefined : rest.slice(length);
}
