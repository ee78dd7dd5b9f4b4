import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { lingerBytes, lingerMs } from '../../src/http/lingering-close.ts';
import { createHttp, createKit } from '../../src/index.ts';

const kilobyte = 'x'.repeat(1_024);
const megabyte = 'x'.repeat(1_048_576);

let app: FastifyInstance;

beforeEach(async () => {
  app = createHttp(createKit({ name: 'test', logLevel: 'silent' }), { bodyLimit: kilobyte.length });
  app.post('/limited', async () => 'taken');
  const onRequest = async (
    _request: unknown,
    reply: { code(status: number): { header: CallableFunction } },
  ) => reply.code(401).header('connection', 'close').send({});
  app.post('/unread', { onRequest }, async () => 'never');
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(async () => {
  app.server.closeAllConnections();
  await app.close();
});

interface Conversation {
  socket: Socket;
  /** Returns the text read so far. */
  said(): string;
  /** Resolves with the reason of the end: `end`, or the code of the error. */
  over: Promise<string>;
}

/** A client that reads nothing before it is requested to. */
async function talk(path: string): Promise<Conversation> {
  const socket = connect({
    port: (app.server.address() as AddressInfo).port,
    host: '127.0.0.1',
    allowHalfOpen: true,
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  let said = '';
  const over = new Promise<string>((resolve) => {
    socket.once('end', () => resolve('end'));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)));
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n`,
  );
  return {
    socket,
    said: () => said,
    get over() {
      socket.on('data', (chunk) => {
        said += String(chunk);
      });
      return over;
    },
  };
}

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const written = (socket: Socket, text: string): Promise<unknown> =>
  new Promise((resolve) => socket.write(text, resolve));

test.each([
  ['/limited', 413],
  ['/unread', 401],
])(
  'A client that sends all of a large body to %s before it reads gets the answer %i completely.',
  async (path, status) => {
    const conversation = await talk(path);
    for (let sent = 0; sent < 3; sent += 1)
      expect(await written(conversation.socket, chunk(megabyte))).toBeFalsy();
    // The client has received all reactions of the server by now.
    await sleep(100);
    await written(conversation.socket, '0\r\n\r\n');
    expect(await conversation.over).toBe('end');
    expect(conversation.said()).toMatch(
      new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*connection: close[\\s\\S]*\\r\\n\\r\\n\\{.*\\}$`),
    );
  },
);

test('A client that continues to send slowly is disconnected after the time limit.', async () => {
  const { socket, over } = await talk('/limited');
  const begun = performance.now();
  let cut = false;
  socket.once('close', () => {
    cut = true;
  });
  await written(socket, chunk(kilobyte + kilobyte));
  expect(await over).toBe('end');
  while (!cut && performance.now() - begun < 4 * lingerMs) {
    socket.write(chunk('x'));
    await sleep(20);
  }
  expect(cut).toBe(true);
  const took = performance.now() - begun;
  expect(took).toBeGreaterThan(lingerMs * 0.9);
});

test('A client that continues to send at full speed is disconnected after a few megabytes, long before the time limit.', async () => {
  const { socket } = await talk('/limited');
  const failed = new Promise<string>((resolve) => {
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)));
  });
  const begun = performance.now();
  let sent = 0;
  const text = chunk(megabyte.slice(0, 65_536));
  while (!socket.destroyed && performance.now() - begun < lingerMs) {
    await Promise.race([written(socket, text), failed]);
    sent += text.length;
    // Pauses in which the server checks the amount of data.
    await sleep(2);
  }
  expect(await failed).toMatch(/EPIPE|ECONNRESET/);
  expect(sent).toBeGreaterThan(lingerBytes);
});

test('A connection that is kept is used for the next request, with any body.', async () => {
  const { socket, over, said } = await talk('/limited');
  await written(socket, `${chunk('{}')}0\r\n\r\n`);
  await sleep(100);
  socket.write(
    'POST /limited HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{}',
  );
  expect(await over).toBe('end');
  expect(said().match(/HTTP\/1\.1 200/g)).toHaveLength(2);
});
