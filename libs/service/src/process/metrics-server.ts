import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ambiguityOf } from '../http/ambiguity.ts';
import { requestIdOf } from '../http/observation.ts';
import type { ServiceKit } from '../kit/kit.ts';

/** Creates a server for `GET /metrics` only, on its own port, so that no public route can lead to it. */
export function createMetricsServer({ metrics, log }: Pick<ServiceKit, 'metrics' | 'log'>): Server {
  // Further requests on these connections belong to a rejected one and get no response.
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
      (error: unknown) => {
        const requestId = requestIdOf(request);
        log.error({ event: 'metrics.failed', requestId, err: error }, 'Metrics could not be gathered');
        response.setHeader('x-request-id', requestId);
        answer(response, 500, 'The metrics could not be gathered.\n');
      },
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

/** Starts to listen. @throws the system's error, such as EADDRINUSE */
export const listenOn = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });

/** Closes immediately; a scraper retries. */
export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
