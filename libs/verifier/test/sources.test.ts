import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Verify } from '../src/index.ts';
import { Prover } from '../src/testing.ts';
import { StubIssuer } from './support/stub-issuer.ts';

let issuer: StubIssuer;
let verify: Verify;

beforeAll(async () => {
  issuer = await new StubIssuer().start();
  verify = issuer.verifier();
  await verify.ready();
});

afterAll(() => issuer.stop());

test('A request of the Fetch API is verified with its method and path.', async () => {
  const prover = await Prover.create();
  const token = await issuer.token({ cnf: { jkt: prover.jkt } });
  const headers = await prover.headers('POST', 'https://orders.example/orders', token);
  const request = new Request('http://10.0.0.7:8080/orders?dry=1', { method: 'POST', headers });
  expect((await verify(request)).kind).toBe('user');
});

test('A token in the query of a request is rejected with invalid_request.', async () => {
  const token = await issuer.token();
  const outcome = verify({
    authorization: `Bearer ${token}`,
    method: 'GET',
    url: `/orders?access_token=${token}`,
  });
  await expect(outcome).rejects.toMatchObject({ status: 400, code: 'invalid_request' });
});

test('A request of Node with several Authorization headers is rejected with invalid_request.', async () => {
  const server = createServer((request, response) => {
    verify(request).then(
      ({ subject }) => response.end(subject),
      ({ status }: { status: number }) => response.writeHead(status).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const bearer = await issuer.bearer();
  const statusWith = async (...headers: string[]): Promise<number | undefined> => {
    const asked = send({ port, host: '127.0.0.1', headers: ['Host', 'x', ...headers] }).end();
    const [response] = (await once(asked, 'response')) as [import('node:http').IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  try {
    expect(await statusWith('Authorization', bearer)).toBe(200);
    expect(await statusWith('Authorization', bearer, 'authorization', bearer)).toBe(400);
    expect(await statusWith()).toBe(401);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
