import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Grace period in milliseconds for the first request on a new connection while the server closes. */
const silentGraceMs = 250;

/**
 * Connections that would delay the end of a server: those without any request (a browser's preconnect, a port
 * check), which Node.js does not count as idle, and those with a request in progress when closing began,
 * which become idle later.
 */
export class IdleConnections {
  readonly #server: Server;
  readonly #silent = new Set<Socket>();

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#silent.add(socket);
      socket.once('close', () => this.#silent.delete(socket));
    });
    server.prependListener('request', ({ socket }: IncomingMessage) => this.#silent.delete(socket));
  }

  /** Closes idle connections. Call it when the server begins to close. */
  end(): void {
    // A client that has just connected may have a request in transit, which still gets a response.
    const patience = setTimeout(() => {
      for (const socket of this.#silent) socket.destroy();
    }, silentGraceMs);
    const sweep = setInterval(() => this.#server.closeIdleConnections(), 20);
    this.#server.once('close', () => {
      clearTimeout(patience);
      clearInterval(sweep);
    });
  }
}
