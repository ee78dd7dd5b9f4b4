import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Prover } from '@ostiary/access/testing';
import { eventually } from '@ostiary/service/testing';
import { ostiary, type Verify } from '@ostiary/verifier';
import { protectedResource, requireToken } from '@ostiary/verifier/fastify';
import fastify, { type FastifyInstance } from 'fastify';
import { WebSocket, WebSocketServer } from 'ws';
import { runningDemo } from '../support/demo.ts';
import { ProtectedApi } from './registered.ts';

const demo = runningDemo();
const { demo: tenant, rival } = demo.tenants;
let orders: ProtectedApi;
let verify: Verify;
let app: FastifyInstance;
let origin: string;

beforeAll(async () => {
  orders = await new ProtectedApi(demo, tenant).register();
  verify = ostiary(orders.options);
  app = fastify();
  app.register(protectedResource, { verify });
  app.get('/orders', { onRequest: requireToken(verify) }, async ({ principal }) => ({
    kind: principal?.kind,
    subject: principal?.subject,
  }));
  origin = await app.listen({ port: 0, host: '127.0.0.1' });
  await verify.ready();
});

afterAll(() => app?.close());

const read = (token: string) => fetch(`${origin}/orders`, { headers: { authorization: `Bearer ${token}` } });
const statusFor = async (token: string): Promise<number> => (await read(token)).status;

test('An API with the verifier rejects the token of a user whom SCIM deactivates, and no other one.', async () => {
  const [leaver, colleague] = [await orders.hire(), await orders.hire()];
  expect(await (await read(leaver.token)).json()).toEqual({ kind: 'user', subject: leaver.id });
  expect(await statusFor(colleague.token)).toBe(200);
  await orders.offboard(leaver.id);
  await eventually(async () => (await statusFor(leaver.token)) === 401);
  expect(await statusFor(colleague.token)).toBe(200);
  expect(verify.state.fresh).toBe(true);
});

test('An offboarding cuts the open socket of the user.', async () => {
  const user = await orders.hire();
  const sockets = new WebSocketServer({ noServer: true });
  app.server.on('upgrade', (request, socket, head) => {
    verify(request).then(
      (principal) =>
        sockets.handleUpgrade(request, socket, head, (opened) => {
          const forget = verify.onRevoked(principal, () => opened.close(4401, 'revoked'));
          opened.on('close', forget);
        }),
      () => socket.destroy(),
    );
  });
  const socket = new WebSocket(origin.replace('http', 'ws'), {
    headers: { authorization: `Bearer ${user.token}` },
  });
  await once(socket, 'open');
  const closed = once(socket, 'close');
  await orders.offboard(user.id);
  const [code] = await closed;
  expect(code).toBe(4401);
});

test('A token that a client bound to its key is accepted with a proof, once.', async () => {
  const prover = await Prover.create();
  const token = await orders.clientToken(prover);
  expect(await statusFor(token)).toBe(401);
  const headers = await prover.headers('GET', `${orders.audience}/orders`, token);
  expect((await fetch(`${origin}/orders`, { headers })).status).toBe(200);
  expect((await fetch(`${origin}/orders`, { headers })).status).toBe(401);
});

test('Tokens of a rival tenant for the same resource are rejected, and its client cannot follow the feed.', async () => {
  const theirs = await new ProtectedApi(demo, rival).register();
  expect(await statusFor(await orders.clientToken())).toBe(200);
  expect(await statusFor(await theirs.clientToken())).toBe(401);
  const foreign = ostiary({ ...theirs.options, issuer: tenant.issuer });
  await expect(foreign.ready()).rejects.toThrow('status 401');
  const other = ostiary({ ...orders.options, audience: theirs.audience });
  await expect(other.ready()).rejects.toThrow('status 400');
  foreign.stop();
  other.stop();
});

test('The metadata of the API names the issuer, and its challenge the metadata.', async () => {
  const challenge = (await fetch(`${origin}/orders`)).headers.get('www-authenticate') ?? '';
  const [, url = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
  const response = await fetch(url.replace(orders.audience, origin));
  expect(await response.json()).toMatchObject({
    resource: orders.audience,
    authorization_servers: [tenant.issuer],
  });
});
