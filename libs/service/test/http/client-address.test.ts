import { once } from 'node:events';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import proxyAddr from '@fastify/proxy-addr';
import { expect, test } from '@jest/globals';
import { trustOf } from '../../src/http/client-address.ts';
import { clientAddress, createHttp, createKit } from '../../src/index.ts';

/** Returns the client address of an upgrade and of a plain request with these headers. */
async function readings(trustedProxies: readonly string[], lines: readonly string[]): Promise<unknown[]> {
  const app = createHttp(createKit({ name: 'test', logLevel: 'silent' }), { trustedProxies });
  app.get('/', async ({ ip }) => ip);
  const of = clientAddress(trustedProxies);
  app.server.on('upgrade', (request, socket) => socket.end(`HTTP/1.1 400 x\r\n\r\n${of(request)}`));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as { port: number };
  const ask = async (more: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (data) => {
      text += String(data);
    });
    socket.write(`GET / HTTP/1.1\r\nhost: x\r\n${more}${lines.map((line) => `${line}\r\n`).join('')}\r\n`);
    await once(socket, 'close');
    return text.slice(text.indexOf('\r\n\r\n') + 4);
  };
  const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\n';
  const answers = [await ask('connection: close\r\n'), await ask(upgrade)];
  await app.close();
  return answers;
}

test.each<[string, string[], string[], string]>([
  ['nobody is believed', [], ['x-forwarded-for: 198.51.100.1'], '127.0.0.1'],
  ['a proxy is', ['loopback'], ['x-forwarded-for: 198.51.100.1'], '198.51.100.1'],
  [
    'what was there before it was, is not',
    ['loopback'],
    ['x-forwarded-for: 10.0.0.1, 198.51.100.1'],
    '198.51.100.1',
  ],
  ['two proxies', ['loopback', '10.0.0.0/8'], ['x-forwarded-for: 198.51.100.1, 10.0.0.1'], '198.51.100.1'],
  ['no header', ['loopback'], [], '127.0.0.1'],
])(
  'An upgrade request has the same client address as a plain request: %s.',
  async (_name, proxies, lines, expected) => {
    expect(await readings(proxies, lines)).toEqual([expected, expected]);
  },
);

test('The text around an address in a header is not kept in memory with the address.', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const kept = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const isTrusted = trustOf(['loopback']);
  const padding = 'x'.repeat(15_000);
  const before = kept();
  for (let n = 0; n < 5_000; n += 1) {
    const header = Buffer.from(`${padding}${n}, 2001:db8::${n.toString(16)}:ffff`).toString('latin1');
    isTrusted(header.slice(header.indexOf('2001')));
    isTrusted(header);
  }
  expect(kept() - before).toBeLessThan(20_000_000);
  expect(isTrusted('127.0.0.1')).toBe(true);
});

test('The trust in an address is cached as the library decides it, for any number of addresses.', () => {
  const proxies = ['loopback', '10.1.0.0/16', '2001:db8::/32'];
  const isTrusted = trustOf(proxies);
  const said = proxyAddr.compile(proxies);
  const some = [
    '127.0.0.1',
    '::ffff:127.0.0.1',
    '10.1.2.3',
    '10.2.0.1',
    '2001:db8::1',
    '2001:db9::1',
    'unknown',
    '',
  ];
  for (let round = 0; round < 3; round += 1) {
    for (const address of some) expect([address, isTrusted(address)]).toEqual([address, said(address, 0)]);
    // More than the cache holds, because a client can send any number of them.
    for (let n = 0; n < 12_000; n += 1) isTrusted(`198.51.${n >> 8}.${n & 255}`);
  }
});
