// Minimum cost of password hashing over HTTP: a server with the service's argon2id, the same concurrency, and a queue.
// GET returns a page, POST a redirect after one hash.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { hashRaw } from '@node-rs/argon2';

const page = 'x'.repeat(4_096);
const salt = randomBytes(16);
const maxConcurrentHashes = 2;
const waiting = [];
let running = 0;

async function hash(password) {
  if (running >= maxConcurrentHashes) await new Promise((resolve) => waiting.push(resolve));
  else running += 1;
  await hashRaw(password, {
    algorithm: 2,
    salt,
    memoryCost: 19_456,
    timeCost: 2,
    parallelism: 1,
    outputLen: 32,
  });
  const next = waiting.shift();
  if (next) next();
  else running -= 1;
}

createServer((request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    await hash(Buffer.concat(chunks));
    response.writeHead(303, { location: 'https://app.example.com/callback?code=x' }).end();
  });
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.send('ready'));
