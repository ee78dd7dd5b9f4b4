// Cost of Node.js's HTTP alone: a server that reads the request, requests as many subgraphs as a gateway, one after the
// other, with undici's dispatcher, and returns the last answer. No GraphQL, tokens, routing or own headers.
import { createServer } from 'node:http';
import { Pool } from 'undici';

const pool = new Pool(JSON.parse(process.env.ORIGINS).directory, { connections: 128 });
const ask = (authorization, body) =>
  new Promise((resolve, reject) => {
    let text = '';
    pool.dispatch(
      {
        method: 'POST',
        path: '/graphql',
        headers: ['content-type', 'application/json', 'authorization', authorization],
        body,
      },
      {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData(_controller, chunk) {
          text += chunk.toString('utf8');
        },
        onResponseEnd() {
          resolve(text);
        },
        onResponseError(_controller, error) {
          reject(error);
        },
      },
    );
  });

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const body = Buffer.concat(chunks).toString('utf8');
    let text = '';
    for (let call = 0; call < Number(request.headers['x-calls'] ?? 1); call += 1)
      text = await ask(request.headers.authorization, body);
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  });
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.send('ready'));
