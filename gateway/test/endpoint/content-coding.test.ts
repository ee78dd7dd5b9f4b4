import { request } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import { expectCpuBelow } from '../../../libs/service/test/support/cpu-time.ts';
import { type RunningGateway, Services } from '../support/system.ts';

let services: Services;
let gateway: RunningGateway;
let token: string;
beforeAll(async () => {
  const issuer = new Issuer();
  services = await Services.start(issuer);
  gateway = await services.gateway();
  token = issuer.token({ subject: 'job', scopes: ['users:read'] });
});
afterAll(() => services.stop());

const limit = 262_144;

interface Answer {
  status: number;
  accepts: string | undefined;
  body: { data?: unknown; errors?: { extensions: { code: string } }[] };
}

const post = (body: Buffer, coding: string, path = '/graphql'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${gateway.url}${path}`,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          'content-encoding': coding,
          'content-length': body.length,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            accepts: response.headers['accept-encoding'] as string | undefined,
            body: JSON.parse(text) as Answer['body'],
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

/** Returns an operation of this size in bytes. */
function operation(bytes: number): Buffer {
  const start = '{"query":"{ users(first: 1) { id } }","pad":"';
  return Buffer.from(`${start}${'x'.repeat(bytes - start.length - 2)}"}`);
}
const codeOf = ({ body }: Answer) => body.errors?.[0]?.extensions.code;

test('An operation that is compressed with gzip is executed, at both addresses of the graph.', async () => {
  for (const path of ['/graphql', '/t/demo/graphql']) {
    for (const coding of ['gzip', 'x-gzip', 'GZIP']) {
      const answer = await post(gzipSync(operation(1_000)), coding, path);
      expect([answer.status, answer.body]).toEqual([200, { data: { users: [{ id: 'alice' }] } }]);
    }
  }
});

test('The size limit of a body applies to the inflated body.', async () => {
  expect((await post(gzipSync(operation(limit)), 'gzip')).status).toBe(200);
  const answer = await post(gzipSync(operation(limit + 1)), 'gzip');
  expect([answer.status, codeOf(answer)]).toEqual([413, 'BAD_REQUEST']);
});

test('A compression bomb is inflated only up to the limit.', async () => {
  const bomb = gzipSync(Buffer.alloc(64_000_000, ' '));
  expect(bomb.length).toBeLessThan(limit);
  const before = process.memoryUsage().rss;
  await expectCpuBelow(300, async () => {
    const answer = await post(bomb, 'gzip');
    expect([answer.status, codeOf(answer)]).toEqual([413, 'BAD_REQUEST']);
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(48_000_000);
});

test('A body that does not match its coding is rejected with 400.', async () => {
  const whole = gzipSync(operation(1_000));
  const inside = gzipSync(Buffer.from('not JSON'));
  for (const body of [operation(1_000), whole.subarray(0, -20), inside]) {
    const answer = await post(body, 'gzip');
    expect([answer.status, codeOf(answer)]).toEqual([400, 'BAD_REQUEST']);
  }
});

test('A body in another coding is rejected with 415 and the accepted codings.', async () => {
  for (const coding of ['br', 'deflate', 'zstd', 'gzip, gzip']) {
    const answer = await post(brotliCompressSync(operation(1_000)), coding);
    expect([answer.status, codeOf(answer), answer.accepts]).toEqual([415, 'BAD_REQUEST', 'gzip, identity']);
  }
});
