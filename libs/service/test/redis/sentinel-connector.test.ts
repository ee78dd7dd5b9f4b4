import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createKit, createRedis, type Redis, redisReady } from '../../src/index.ts';
import { eventually } from '../../src/testing.ts';

const { log } = createKit({ name: 'test', logLevel: 'silent' });

const bulk = (text: string): string => `$${text.length}\r\n${text}\r\n`;
const array = (...items: string[]): string => `*${items.length}\r\n${items.join('')}`;
/** A push message of RESP3. */
const push = (...items: string[]): string => `>${items.length}\r\n${items.join('')}`;

/** Implements the part of RESP that a connecting client needs. */
class Fake {
  readonly #server: Server;
  readonly sockets = new Set<Socket>();

  constructor(answer: (command: string[], socket: Socket) => Promise<string> | string) {
    this.#server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket)).on('error', () => undefined);
      let answered: Promise<unknown> = Promise.resolve();
      socket.setEncoding('utf8').on('data', (text) => {
        for (const command of String(text).split(/^\*\d+\r\n/m)) {
          const words = command.split('\r\n').filter((_, index) => index % 2 === 1);
          if (words.length > 0)
            answered = answered.then(async () => socket.write(await answer(words, socket)));
        }
      });
    });
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
  }
}

let primary: Fake;
let sentinel: Fake;
let listeners: Set<Socket>;
/** Called when the Sentinel receives a query for the primary. */
let whenAsked: () => Promise<void>;
let redis: Redis;
let url: string;

beforeEach(async () => {
  listeners = new Set();
  whenAsked = async () => undefined;
  primary = new Fake(([name]) =>
    /info/i.test(name ?? '') ? bulk('role:master\r\nloading:0\r\n') : '+OK\r\n',
  );
  const port = await primary.listen();
  sentinel = new Fake(async ([name = '', question = ''], socket) => {
    if (/^subscribe$/i.test(name)) {
      // Confirms the subscription before anything is announced.
      setImmediate(() => listeners.add(socket));
      return push(bulk('subscribe'), bulk(question), ':1\r\n');
    }
    if (!/^sentinel$/i.test(name)) return '+OK\r\n';
    if (!/^get-master-addr-by-name$/i.test(question)) return array();
    await whenAsked();
    return array(bulk('127.0.0.1'), bulk(String(port)));
  });
  url = `redis+sentinel://127.0.0.1:${await sentinel.listen()}/tests`;
});
afterEach(() => {
  redis.disconnect();
  primary.stop();
  sentinel.stop();
});

const heard = async (count: number): Promise<void> => {
  await eventually(() => listeners.size >= count);
};
const announceSwitch = (): void => {
  const message = push(bulk('message'), bulk('+switch-master'), bulk('tests 127.0.0.1 1 127.0.0.1 2'));
  for (const socket of listeners) if (!socket.destroyed) socket.write(message);
};

test.each([false, true])(
  'A failover that is announced during a query for the primary does not prevent the reconnect (blocking: %s).',
  async (blocking) => {
    redis = createRedis(url, { name: 'test', log, blocking });
    await redisReady(redis);
    await heard(1);
    const ends: string[] = [];
    redis.on('end', () => ends.push('end'));
    let asked = 0;
    whenAsked = async () => {
      asked += 1;
      if (asked > 1) return;
      announceSwitch();
      await sleep(100);
    };
    for (const socket of primary.sockets) socket.destroy();
    await once(redis, 'close');
    await redisReady(redis);
    expect(ends).toEqual([]);
    expect(asked).toBeGreaterThan(0);
  },
);

test('A connected client is notified of each failover, also of later ones.', async () => {
  redis = createRedis(url, { name: 'test', log });
  await redisReady(redis);
  for (let count = 1; count <= 3; count += 1) {
    await heard(count);
    const closed = once(redis, 'close');
    announceSwitch();
    await closed;
    await redisReady(redis);
  }
});

test('A client that is closed during a query for the primary does not connect.', async () => {
  redis = createRedis(url, { name: 'test', log });
  await redisReady(redis);
  const asked = Promise.withResolvers<void>();
  whenAsked = async () => {
    asked.resolve();
    await sleep(100);
  };
  for (const socket of primary.sockets) socket.destroy();
  await asked.promise;
  const ended = once(redis, 'end');
  redis.disconnect();
  await ended;
  await sleep(150);
  expect(primary.sockets.size).toBe(0);
});
