// Minimum cost of forwarding a request: a server that forwards method, path, headers and body unchanged to one upstream
// over persistent connections, and returns the answer. It has no inspection, limits, logs or metrics. TRANSPORT selects
// undici's dispatcher with streamed or with complete bodies, or node:http.
import { Agent, request as ask, createServer } from 'node:http';
import { Pool } from 'undici';

const upstreams = JSON.parse(process.env.ORIGINS);
const upstreamOf = (url) => (url.includes('/scim/') ? 'provisioning' : 'auth');
const hasBody = ({ headers }) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
const unavailable = (response) => (response.headersSent ? response.destroy() : response.writeHead(503).end());

/** Hop-by-hop headers (RFC 9110 §7.6.1); forwarding them would close persistent connections. */
const hop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host', 'expect']);
const endToEnd = (raw) => {
  const headers = [];
  for (let at = 0; at < raw.length; at += 2) {
    if (!hop.has(raw[at].toLowerCase())) headers.push(raw[at], raw[at + 1]);
  }
  return headers;
};

function overUndici() {
  const pools = Object.fromEntries(
    Object.entries(upstreams).map(([name, origin]) => [name, new Pool(origin, { connections: 128 })]),
  );
  return (request, response) => {
    pools[upstreamOf(request.url)].dispatch(
      {
        method: request.method,
        path: request.url,
        headers: endToEnd(request.rawHeaders),
        body: hasBody(request) ? request : null,
      },
      {
        onRequestStart() {},
        onResponseStart(controller, status) {
          response.writeHead(status, endToEnd(controller.rawHeaders.map((text) => text.toString('latin1'))));
        },
        onResponseData(controller, chunk) {
          if (response.write(chunk)) return;
          controller.pause();
          response.once('drain', () => controller.resume());
        },
        onResponseEnd() {
          response.end();
        },
        onResponseError() {
          unavailable(response);
        },
      },
    );
  };
}

/** Like `overUndici`, with complete instead of streamed bodies. */
function wholeBodies() {
  const pools = Object.fromEntries(
    Object.entries(upstreams).map(([name, origin]) => [name, new Pool(origin, { connections: 128 })]),
  );
  const send = (request, response, body) => {
    let status = 0;
    let headers = [];
    const chunks = [];
    pools[upstreamOf(request.url)].dispatch(
      { method: request.method, path: request.url, headers: endToEnd(request.rawHeaders), body },
      {
        onRequestStart() {},
        onResponseStart(controller, code) {
          status = code;
          headers = endToEnd(controller.rawHeaders.map((text) => text.toString('latin1')));
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd() {
          response.writeHead(status, headers).end(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
        },
        onResponseError() {
          unavailable(response);
        },
      },
    );
  };
  return (request, response) => {
    if (!hasBody(request)) return send(request, response, null);
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => send(request, response, Buffer.concat(chunks)));
  };
}

function overNodeHttp() {
  const agent = new Agent({ keepAlive: true, maxSockets: 128 });
  return (request, response) => {
    const { hostname, port } = new URL(upstreams[upstreamOf(request.url)]);
    const call = ask({
      agent,
      hostname,
      port,
      method: request.method,
      path: request.url,
      headers: ['host', `${hostname}:${port}`, ...endToEnd(request.rawHeaders)],
    });
    call.on('response', (answer) => {
      response.writeHead(answer.statusCode, endToEnd(answer.rawHeaders));
      answer.pipe(response);
    });
    call.on('error', () => unavailable(response));
    if (hasBody(request)) request.pipe(call);
    else call.end();
  };
}

const ways = { undici: overUndici, 'undici, whole bodies': wholeBodies, 'node:http': overNodeHttp };
const pass = ways[process.env.TRANSPORT]();
createServer(pass).listen(Number(process.env.PORT), '127.0.0.1', () => process.send('ready'));
