// Minimum cost of a signed token over HTTP: a server that reads a form and signs a JWT with ES256. No clients,
// policies, logs or shared state.
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const header = encoded({ typ: 'at+jwt', alg: 'ES256', kid: randomUUID() });

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const iat = Math.floor(Date.now() / 1_000);
    const claims = { iss: 'bare', sub: form.get('grant_type'), jti: randomUUID(), iat, exp: iat + 600 };
    const input = `${header}.${encoded(claims)}`;
    const signature = sign('sha256', Buffer.from(input), privateKey).toString('base64url');
    const body = JSON.stringify({
      access_token: `${input}.${signature}`,
      token_type: 'Bearer',
      expires_in: 600,
    });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.send('ready'));
