import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { freePort } from '@ostiary/embedded';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { type RunningService, redisUrl, type ScimResponse, startService } from '../support/service.ts';

const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';
const bulkRequest = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';

let directory: RecordingDirectory;
let service: RunningService;
let twin: RunningService;
const tokenKey = randomBytes(32);

beforeAll(async () => {
  directory = await startRecordingDirectory();
  const common = { directoryUrl: directory.url, tokenKey, limits: { requestsPerMinute: 50 } };
  service = await startService(common);
  const { authorization, prefix, databaseUrl: database } = service;
  twin = await startService({ ...common, authorization, prefix, database });
});
afterAll(async () => {
  await twin?.close();
  await service?.close();
  await directory?.close();
});
beforeEach(() => directory.clear());

/** Creates a connector with or without a limit of its own. */
async function source(requestsPerMinute?: number, tenant?: string) {
  const { connector, token } = await service.connector({ name: 'HR', ...(tenant ? { tenant } : {}) });
  if (requestsPerMinute !== undefined) {
    await service.database.sql.query('UPDATE provisioning.connectors SET limits = $1 WHERE id = $2', [
      { requestsPerMinute },
      connector.id,
    ]);
  }
  return token;
}
const read = (token: string, at = service, tenant = 'demo') =>
  at.scim('GET', '/Users?count=0', { token, tenant });
const count = (answers: ScimResponse[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

test('A request beyond the limit is rejected with 429 and Retry-After, and has no effect.', async () => {
  const token = await source(3);
  const answers = [];
  for (let i = 0; i < 5; i += 1) answers.push(await read(token));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
  expect(directory.commands).toHaveLength(3);
  const refused = answers[3] as ScimResponse;
  expect(refused.body).toEqual({
    schemas: [errorSchema],
    status: '429',
    detail: expect.stringMatching(/try again in \d+ seconds/),
  });
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  expect(answers.map(({ headers }) => headers.get('ratelimit')?.replace(/;t=\d+$/, ''))).toEqual([
    '"scim";r=2',
    '"scim";r=1',
    '"scim";r=0',
    '"scim";r=0',
    '"scim";r=0',
  ]);
  expect(refused.headers.get('ratelimit-policy')).toBe('"scim";q=3;w=60');
});

test('The body of a request beyond the limit is not even read.', async () => {
  const token = await source(1);
  await read(token);
  const answer = await service.scim('POST', '/Users', { token, body: '{"broken":' });
  expect(answer.status).toBe(429);
});

test('Two processes count requests together: of 60 concurrent requests, 20 are accepted.', async () => {
  const token = await source(20);
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) => read(token, i % 2 ? service : twin)),
  );
  expect([count(answers, 200), count(answers, 429)]).toEqual([20, 40]);
});

test('Each connector, client and tenant has an allowance of its own.', async () => {
  const [one, two, theirs] = [await source(1), await source(1), await source(1, 'rival')];
  const clients = await Promise.all(
    ['rate-1', 'rate-2'].map((subject) => service.authorization.token({ subject, scopes: ['scim:read'] })),
  );
  const spent = async (token: string, tenant?: string) => {
    const answers = [];
    for (let i = 0; i < 51; i += 1) answers.push(await read(token, service, tenant));
    return count(answers, 200);
  };
  expect([await spent(one), await spent(two), await spent(theirs, 'rival')]).toEqual([1, 1, 1]);
  // Without a connector, the service's own limit counts.
  expect([await spent(clients[0] as string), await spent(clients[1] as string)]).toEqual([50, 50]);
});

test('A connector cannot have a higher limit than the service allows.', async () => {
  const token = await source(1_000_000);
  expect((await read(token)).headers.get('ratelimit-policy')).toBe('"scim";q=50;w=60');
});

test('A Bulk counts as many requests as it has operations, and at most the allowance of one minute.', async () => {
  const bulk = (token: string, operations: number) =>
    service.scim('POST', '/Bulk', {
      token,
      body: {
        schemas: [bulkRequest],
        Operations: Array.from({ length: operations }, () => ({ method: 'DELETE', path: '/Users/42' })),
      },
    });
  const token = await source(10);
  expect((await bulk(token, 6)).status).toBe(200);
  expect((await bulk(token, 6)).status).toBe(429);
  const third = await source(40);
  expect((await bulk(third, 39)).headers.get('ratelimit')).toMatch(/r=1;/);
  // Otherwise a source with a small allowance could never send a large Bulk.
  const other = await source(10);
  const large = await bulk(other, 100);
  expect([large.status, large.headers.get('ratelimit')?.slice(0, 11)]).toEqual([200, '"scim";r=0;']);
  expect((await bulk(other, 1)).status).toBe(429);
});

test('A rejected Bulk leaves the allowance to smaller requests.', async () => {
  const token = await source(10);
  expect((await read(token)).status).toBe(200);
  for (let i = 0; i < 2; i += 1) {
    const Operations = Array.from({ length: 20 }, () => ({ method: 'DELETE', path: '/Users/42' }));
    const refused = await service.scim('POST', '/Bulk', {
      token,
      body: { schemas: [bulkRequest], Operations },
    });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  // Each Bulk was a request itself.
  const answers = [];
  for (let i = 0; i < 8; i += 1) answers.push((await read(token)).status);
  expect(answers).toEqual([200, 200, 200, 200, 200, 200, 200, 429]);
});

test('Anonymous discovery is neither counted nor rejected.', async () => {
  const answer = await service.scim('GET', '/ServiceProviderConfig');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('ratelimit')).toBeNull();
});

describe('Without Redis', () => {
  let gate: Server;
  const through = new Set<Socket>();
  let lonely: RunningService;

  beforeAll(async () => {
    const { hostname, port } = new URL(redisUrl);
    gate = createServer((socket) => {
      const redis = connect(Number(port || 6379), hostname);
      for (const [from, to] of [
        [socket, redis],
        [redis, socket],
      ] as const) {
        through.add(from);
        from.pipe(to);
        from.on('error', () => to.destroy());
        from.on('close', () => to.destroy());
      }
    }).listen(await freePort(), '127.0.0.1');
    await once(gate, 'listening');
    const { authorization, prefix, databaseUrl: database } = service;
    lonely = await startService({
      directoryUrl: directory.url,
      tokenKey,
      authorization,
      prefix,
      database,
      redisUrl: `redis://127.0.0.1:${(gate.address() as { port: number }).port}`,
      countingMs: 250,
      limits: { requestsPerMinute: 50 },
    });
  });
  afterAll(async () => {
    for (const socket of through) socket.destroy();
    gate.close();
    await lonely?.close();
  });

  test('Without Redis, SCIM works within the limit, and requests are counted with the others again afterwards.', async () => {
    const before = await source(3);
    expect((await read(before, lonely)).status).toBe(200);

    for (const socket of through) socket.pause();
    const silent = await source(3);
    const answers = [];
    for (let i = 0; i < 5; i += 1) answers.push(await read(silent, lonely));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);

    // Redis must stay unavailable, so that the shared count does not begin in the middle.
    const { port } = gate.address() as { port: number };
    const closed = once(gate, 'close');
    gate.close();
    for (const socket of through) socket.destroy();
    await closed;
    const away = await source(3);
    const more = await Promise.all(Array.from({ length: 9 }, () => read(away, lonely)));
    expect([count(more, 200), count(more, 429)]).toEqual([3, 6]);

    gate.listen(port, '127.0.0.1');
    await once(gate, 'listening');
    const after = await source(1);
    expect((await read(after)).status).toBe(200);
    let last = 200;
    // After reconnection the shared count is read again.
    for (let i = 0; i < 200 && last !== 429; i += 1) {
      const probe = await source(1);
      await read(probe);
      last = (await read(probe, lonely)).status;
    }
    expect(last).toBe(429);
  });
});

test('A large allowance rarely queries Redis, and all processes together observe it.', async () => {
  const big = await startService({
    directoryUrl: directory.url,
    tokenKey,
    authorization: service.authorization,
    prefix: service.prefix,
    database: service.databaseUrl,
    limits: { requestsPerMinute: 1_000_000 },
  });
  try {
    const token = await source(5_000);
    const answers = await Promise.all(Array.from({ length: 30 }, () => read(token, big)));
    expect(count(answers, 200)).toBe(30);
    const left = Math.min(
      ...answers.map(({ headers }) => Number(/r=(\d+)/.exec(String(headers.get('ratelimit')))?.[1])),
    );
    expect(left).toBeLessThanOrEqual(5_000 - 30);
  } finally {
    await big.close();
  }
});
