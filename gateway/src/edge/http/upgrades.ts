import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { ambiguityOf, type Logger, statusOf, uuidv7 } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import type { UpgradeOrigin, UpgradeRefusal } from '../domain/upgrade.ts';

export interface UpgradesOptions {
  app: FastifyInstance;
  log: Logger;
  /** Returns the client's address as the trusted proxies report it. */
  addressOf: (request: IncomingMessage) => string;
  /** Takes the socket of an upgrade request, or returns the response with which it is rejected. */
  accept: (
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    origin: UpgradeOrigin,
  ) => Promise<UpgradeRefusal | undefined>;
}

/** Serves upgrade requests for WebSockets, which Node.js does not pass to Fastify. */
export function serveUpgrades({ app, log, addressOf, accept }: UpgradesOptions): void {
  const { server } = app as unknown as { server: EventEmitter & { shouldUpgradeCallback?: unknown } };
  // Other upgrade requests (h2c, for example) are answered as ordinary requests.
  server.shouldUpgradeCallback = (request: { headers: { upgrade?: string } }): boolean =>
    request.headers.upgrade?.toLowerCase() === 'websocket';
  server.on('upgrade', async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const origin = { requestId: uuidv7(), address: addressOf(request) };
    const isAmbiguous = ambiguityOf(request) !== undefined;
    const refusal = isAmbiguous
      ? { status: 400 }
      : await accept(request, socket, head, origin).catch(
          (cause: unknown): UpgradeRefusal => ({ status: statusOf(cause), cause }),
        );
    if (!refusal) return;
    logRefusal(log, origin.requestId, refusal);
    refuse(socket, origin.requestId, refusal);
  });
}

/** These responses are not in the access log. */
function logRefusal(log: Logger, requestId: string, { status, cause }: UpgradeRefusal): void {
  const line = { requestId, status, err: cause };
  if (status === 503) log.warn({ event: 'websocket.rejected', ...line }, 'WebSocket rejected');
  else if (status >= 500) log.error({ event: 'websocket.rejected', ...line }, 'WebSocket rejected');
}

function refuse(socket: Duplex, requestId: string, { status, headers = {} }: UpgradeRefusal): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\nx-request-id: ${requestId}\r\n${lines.join('')}\r\n`,
  );
}
