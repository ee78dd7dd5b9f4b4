import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createSafePost, OutgoingFetchError, type OutgoingPolicy } from '../../src/index.ts';

const servers: Socket[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A name server that answers each query with this address, with NXDOMAIN ('none'), or not at all. */
async function nameServer(address: (name: string) => string | 'none' | undefined) {
  const server = createSocket('udp4');
  servers.push(server);
  const asked: string[] = [];
  server.on('message', (query, { port, address: from }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join('.').toLowerCase();
    const type = query.readUInt16BE(at + 1);
    asked.push(`${type === 28 ? 'AAAA' : 'A'} ${name}`);
    const found = address(name);
    if (found === undefined) return;
    const isOne = found !== 'none' && type === 1;
    const header = Buffer.from(query.subarray(0, 12));
    // QR RD RA, and the response code (RFC 1035 §4.1.1).
    header.writeUInt16BE(0x8180 | (found === 'none' ? 3 : 0), 2);
    header.writeUInt16BE(isOne ? 1 : 0, 6);
    header.writeUInt16BE(0, 10);
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...found.split('.').map(Number)]);
    server.send(Buffer.concat([header, query.subarray(12, at + 5), ...(isOne ? [answer] : [])]), port, from);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { asked, policy: { ...strict, nameServers: [`127.0.0.1:${port}`] } };
}

const strict: OutgoingPolicy = { allowPrivate: false, allowHttp: true };

const outcome = (policy: OutgoingPolicy, host: string, timeoutMs = 10_000): Promise<string> =>
  createSafePost(policy)(`http://${host}/`, { body: '', headers: {}, timeoutMs }).then(
    ({ status }) => String(status),
    (error: unknown) => (error instanceof OutgoingFetchError ? error.kind : `threw ${String(error)}`),
  );

describe('names given by clients', () => {
  test('Names whose server never answers do not block the look-up of another name in this process.', async () => {
    const { asked, policy } = await nameServer(() => undefined);
    const posts = Array.from({ length: 12 }, (_, n) => outcome(policy, `n${n}.tarpit.example`));
    await sleep(10);
    let others = 0;
    for (const post of posts) void post.then(() => (others += 1));
    await lookup('localhost');
    // Behind them it would be looked up when all but the last two have been given up.
    expect(others).toBeLessThan(8);
    expect(new Set(await Promise.all(posts))).toEqual(new Set(['failed']));
    expect(new Set(asked).size).toBe(24);
  });

  test('The look-up of a name is given up together with its message.', async () => {
    const { policy } = await nameServer(() => undefined);
    const settled: string[] = [];
    const patient = outcome(policy, 'tarpit.example').then(() => settled.push('patient'));
    expect(await outcome(policy, 'tarpit.example', 150)).toBe('failed');
    settled.push('150 ms');
    await patient;
    expect(settled).toEqual(['150 ms', 'patient']);
  });

  test('Names are rejected for their addresses and looked up as given, without local names or search domains.', async () => {
    const { asked, policy } = await nameServer((name) => (name === 'inside.example' ? '10.0.0.1' : 'none'));
    expect(await outcome(policy, 'inside.example')).toBe('refused');
    expect(await outcome(policy, 'none.example')).toBe('failed');
    // A name without a dot is not an Internet name.
    expect(await outcome(policy, 'directory')).toBe('refused');
    expect(new Set(asked.map((question) => question.split(' ')[1]))).toEqual(
      new Set(['inside.example', 'none.example']),
    );
  });
});
