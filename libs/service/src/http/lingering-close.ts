/**
 * A server that has answered and closes at once, while the client is still sending, resets the connection, and the reset may erase the answer
 * before the client has read it (RFC 9112 §9.6). So it says first that it sends no more, and what still comes is read and thrown away: not for
 * long, and not much, as a client that goes on sending after the answer isn't waiting for one.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** For how long, and how much: enough for what is on its way when the answer is read. */
export const lingerMs = 2_000;
export const lingerBytes = 4 * 1_048_576;
const lookEveryMs = 50;

/** Every connection of the server that closes after an answer while its request is still arriving. */
export function closeLingering(server: Server): void {
  const latest = new WeakMap<Socket, IncomingMessage>();
  server.prependListener('request', (request: IncomingMessage) => latest.set(request.socket, request));
  server.on('connection', (socket: Socket) => {
    const destroySoon = socket.destroySoon.bind(socket);
    // What Node.js calls when an answer was the last one of its connection.
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
  // What is thrown away passes no listener.
  const watch = setInterval(() => {
    if (performance.now() > until || socket.bytesRead > most) socket.destroy();
  }, lookEveryMs);
  socket.once('close', () => clearInterval(watch));
  request.once('end', destroySoon);
  socket.end();
  request.resume();
}
