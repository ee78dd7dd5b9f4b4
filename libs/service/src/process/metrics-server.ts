import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Registry } from 'prom-client';
import { ambiguityOf } from '../http/ambiguity.ts';

/** Serves `GET /metrics`, and nothing else: on a port of its own, so that no route of the public one can lead there. */
export function createMetricsServer(metrics: Registry): Server {
  // What follows on these is the rest of what was refused: it gets no answer of its own.
  const refused = new WeakSet<Duplex>();
  const server = createServer((request, response) => {
    if (ambiguityOf(request) !== undefined) {
      refused.add(request.socket);
      response.setHeader('connection', 'close');
      return answer(response, 400, 'Bad request\n');
    }
    if (request.url !== '/metrics') return answer(response, 404, 'There is nothing at this address.\n');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return answer(response, 405, 'Only GET is allowed.\n');
    }
    metrics.metrics().then(
      (text) => answer(response, 200, text, metrics.contentType),
      () => answer(response, 500, 'The metrics could not be gathered.\n'),
    );
  });
  server.requestTimeout = 10_000;
  server.on('clientError', (_error, socket) => {
    if (socket.writable && !refused.has(socket))
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else socket.destroy();
  });
  return server;
}

function answer(response: ServerResponse, status: number, text: string, contentType = 'text/plain'): void {
  response
    .writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(text) })
    .end(text);
}

/** Listens. @throws what the system says, EADDRINUSE for example */
export const listenOn = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });

/** Stops at once: whoever asks for metrics asks again. */
export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
