import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long a connection that hasn't asked anything yet may still do so once the server is closing. */
const silentGraceMs = 250;

/**
 * Closing a server waits for every connection, and two kinds would keep it waiting: those on which nothing was ever
 * asked (a browser's preconnect, a port check), which don't count as idle for Node.js, and those whose last request was
 * under way when the closing began, which become idle only afterwards.
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

  /** To be called as the server begins to close: from then on they don't keep it open. */
  end(): void {
    // Whoever connected just before has its request on the way: it still gets an answer.
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
