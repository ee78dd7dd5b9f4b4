import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { announceKeepAlive } from '../../src/http/keep-alive.ts';

let server: Server;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function serving(drainSeconds: number): Promise<number> {
  server = createServer((_request, response) => void response.end('ok'));
  server.keepAliveTimeout = 65_000;
  announceKeepAlive(server, drainSeconds);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const announced = async (drainSeconds: number) =>
  (await fetch(`http://127.0.0.1:${await serving(drainSeconds)}`)).headers.get('keep-alive');

test('The idle timeout that is sent to clients is the time of a drain.', async () => {
  expect(await announced(5)).toBe('timeout=5');
});

test('Without a drain, the idle timeout that is sent to clients is the one of the connections.', async () => {
  expect(await announced(0)).toBe('timeout=65');
});

test('A connection is kept for longer than the timeout that is sent, for clients that ignore it.', async () => {
  const socket = connect(await serving(1), '127.0.0.1');
  const answers: string[] = [];
  socket.on('data', (chunk) => answers.push(String(chunk)));
  const ended = new Promise((resolve) => socket.once('close', () => resolve('closed')));
  const ask = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
  socket.write(ask);
  expect(await Promise.race([ended, sleep(2_600)])).toBeUndefined();
  const second = once(socket, 'data');
  socket.write(ask);
  await second;
  expect(answers).toHaveLength(2);
  socket.destroy();
});
