import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { OperatorPort } from '../../src/edge/http/operator-port.ts';

let graph: EventEmitter;
let operator: OperatorPort;
let port: number;
let sockets: Socket[];

beforeEach(async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  port = (other.address() as AddressInfo).port;
  other.close();
  await once(other, 'close');
  graph = new EventEmitter();
  sockets = [];
  operator = new OperatorPort({
    app: { server: graph } as unknown as FastifyInstance,
    auth: {} as ConstructorParameters<typeof OperatorPort>[0]['auth'],
    kit: { log: { info: () => undefined, warn: () => undefined } } as unknown as ConstructorParameters<
      typeof OperatorPort
    >[0]['kit'],
  });
  await operator.listen('127.0.0.1', port);
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await operator.close();
});

async function connected(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

describe('shutdown of the operator port', () => {
  test('An idle connection does not prevent the process from exiting.', async () => {
    await connected();
    await expect(operator.close()).resolves.toBeUndefined();
  });

  test('A request in flight is completed, and its connection is closed afterwards.', async () => {
    const socket = await connected();
    const asked = once(graph, 'request') as Promise<[IncomingMessage, ServerResponse]>;
    socket.write('GET /graphql HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [, response] = await asked;
    const closing = operator.close();
    const answer = once(socket, 'data');
    response.end('late');
    expect(String(await answer)).toContain('late');
    await expect(closing).resolves.toBeUndefined();
  });
});
