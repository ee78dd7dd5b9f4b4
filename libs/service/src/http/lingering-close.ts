/**
 * A server that closes a connection while the client is still sending resets it, and the reset may discard
 * the response before the client reads it (RFC 9112 §9.6). So the server half-closes first and discards
 * further input, up to a limit of time and size: a client that sends more than that does not wait for the
 * response.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum time and size of discarded input: enough for data in transit when the response is read. */
export const lingerMs = 2_000;
export const lingerBytes = 4 * 1_048_576;
const lookEveryMs = 50;

/** Delays the close of each connection that ends after a response while its request is still arriving. */
export function closeLingering(server: Server): void {
  const latest = new WeakMap<Socket, IncomingMessage>();
  server.prependListener('request', (request: IncomingMessage) => latest.set(request.socket, request));
  server.on('connection', (socket: Socket) => {
    const destroySoon = socket.destroySoon.bind(socket);
    // Node.js calls it after the last response of a connection.
    socket.destroySoon = () => {
      const request = latest.get(socket);
      if (request === undefined || request.complete || socket.destroyed) destroySoon();
      else linger(socket, request, destroySoon);
    };
  });
}

function linger(socket: Socket, request: IncomingMessage, destroySoon: () => void): void {
  const until = performance.now() + lingerMs;
  const most = socket.bytesRead + lingerBytes;
  // Discarded input triggers no listener.
  const watch = setInterval(() => {
    if (performance.now() > until || socket.bytesRead > most) socket.destroy();
  }, lookEveryMs);
  socket.once('close', () => clearInterval(watch));
  request.once('end', destroySoon);
  socket.end();
  request.resume();
}
