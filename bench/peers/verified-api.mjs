// A Fastify API that verifies the token of each request: with the package, with jose alone (signature and claims,
// without revocations), or by introspection of each token (RFC 7662).
import { ostiary } from '@ostiary/verifier';
import { requireToken } from '@ostiary/verifier/fastify';
import Fastify from 'fastify';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { Pool } from 'undici';

const { AUDIENCE: audience, CLIENT_ID, CLIENT_SECRET, ISSUER: issuer, KIND, PORT } = process.env;
const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();

async function withPackage() {
  const verify = ostiary({ issuer, audience, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
  await verify.ready();
  return requireToken(verify);
}

async function withJose() {
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri));
  return async (request, reply) => {
    try {
      const token = request.headers.authorization.slice('Bearer '.length);
      const { payload } = await jwtVerify(token, keys, { issuer, audience, typ: 'at+jwt' });
      request.principal = payload;
    } catch {
      return reply.code(401).send();
    }
  };
}

async function withIntrospection() {
  const { origin, pathname } = new URL(metadata.introspection_endpoint);
  const pool = new Pool(origin, { connections: 64 });
  const headers = {
    authorization: `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  return async (request, reply) => {
    const token = request.headers.authorization.slice('Bearer '.length);
    const body = new URLSearchParams({ token }).toString();
    const answer = await pool.request({ method: 'POST', path: pathname, headers, body });
    const claims = await answer.body.json();
    if (!claims.active) return reply.code(401).send();
    request.principal = claims;
  };
}

const kinds = {
  package: withPackage,
  jose: withJose,
  introspection: withIntrospection,
  none: async () => undefined,
};
const preHandler = await kinds[KIND]();
const app = Fastify();
app.get('/orders', preHandler ? { preHandler } : {}, async () => ({ orders: [] }));
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
process.send('ready');
