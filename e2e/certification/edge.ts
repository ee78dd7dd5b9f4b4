/**
 * TLS proxy in front of a system that `npm start` runs and of the suite, which both require https. It also exempts each
 * app that registers itself here from PKCE and signed requests before the registration response is returned, as an
 * administrator does for old software.
 *   node e2e/certification/edge.ts CERTIFICATE KEY 8543=4700 8443=8180 (public port = port behind)
 */
import { readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request as passOn, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { exempt } from './tenant.ts';

const [certificate = '', key = '', ...pairs] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const tls = {
  cert: readFileSync(certificate),
  key: readFileSync(key),
  // Cipher suites of TLS 1.2 that FAPI 2.0 §5.2.2 permits (BCP 195).
  minVersion: 'TLSv1.2',
  ciphers:
    'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384',
  maxHeaderSize: 65_536,
} as const;

for (const pair of pairs) {
  const [port = 0, behind = 0] = pair.split('=').map(Number);
  createServer(tls, (request, response) => forward(request, response, port, behind)).listen(port);
}

function forward(request: IncomingMessage, response: ServerResponse, port: number, behind: number): void {
  const connection = request.socket as TLSSocket;
  const onward = passOn({
    host: '127.0.0.1',
    port: behind,
    method: request.method,
    path: request.url,
    agent,
    headers: {
      ...request.headers,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': (request.headers.host ?? '').replace(/:\d+$/, ''),
      'x-forwarded-port': String(port),
      // The suite checks connections by these headers.
      'x-ssl-protocol': connection.getProtocol() ?? '',
      'x-ssl-cipher': connection.getCipher().standardName,
    },
  });
  onward.on('response', (answer) => void answerWith(answer, request, response));
  onward.on('error', () => {
    if (!response.headersSent) response.writeHead(502);
    response.end();
  });
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}

async function answerWith(
  answer: IncomingMessage,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { statusCode = 502, rawHeaders } = answer;
  const registered = request.method === 'POST' && request.url?.endsWith('/register') && statusCode === 201;
  if (!registered) {
    response.writeHead(statusCode, rawHeaders);
    answer.pipe(response);
    return;
  }
  const body = await buffer(answer);
  await exempt(JSON.parse(body.toString('utf8')) as Parameters<typeof exempt>[0]);
  response.writeHead(statusCode, rawHeaders).end(body);
}
