import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TrustedDocuments } from '../../src/admission/graph/trusted-documents.ts';
import { connectWs } from '../support/live-clients.ts';
import { type Gateway, LiveSystem } from '../support/live-system.ts';

let system: LiveSystem;
let gateway: Gateway;
let token: string;

beforeAll(async () => {
  system = await LiveSystem.start();
  gateway = await system.gateway({ guards: { redis: system.redis, prefix: system.prefix } });
  token = await system.issuer.token({ subject: 'app', scopes: ['users:read'] });
});
afterAll(() => system.close());

const deep = (kind: string, levels: number): string =>
  `${kind}${'{user'.repeat(levels)}${'}'.repeat(levels)}`;
const refusal = /nested too deeply/;

async function send(init: RequestInit, search = ''): Promise<{ status: number; text: string }> {
  const { headers, ...rest } = init;
  const response = await fetch(`${gateway.url}/graphql${search}`, {
    ...rest,
    headers: { authorization: `Bearer ${token}`, ...(headers as Record<string, string>) },
  });
  return { status: response.status, text: await response.text() };
}

const post = (body: unknown, headers: Record<string, string> = {}) =>
  send({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

// 1,000 levels are below the token limit, 6,000 exceed it: neither may reach the parser.
describe.each([1_000, 6_000])('a document that is nested %d levels deep', (levels) => {
  test('A deeply nested document is rejected over POST, over GET and as a persisted query.', async () => {
    const query = deep('', levels);
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    for (const answer of [
      await post({ query }),
      await post({ query }, { accept: 'application/graphql-response+json' }),
      await post({ query, extensions: { persistedQuery: { version: 1, sha256Hash } } }),
      // A request target has at most 16 kB.
      ...(levels < 3_000 ? [await send({}, `?query=${encodeURIComponent(deep('', 500))}`)] : []),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.text).toMatch(refusal);
      expect(answer.text).not.toMatch(/call stack/);
    }
  });

  test('A deeply nested subscription is rejected over server-sent events, for every Accept header of the client.', async () => {
    const query = deep('subscription', levels);
    for (const accept of ['text/event-stream', 'text/event-stream, application/json']) {
      const answer = await post({ query }, { accept });
      expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(refusal)]);
    }
  });

  test('A deeply nested subscription is rejected over a WebSocket.', async () => {
    const socket = connectWs(gateway.url, { authorization: `Bearer ${token}` });
    const errors = await new Promise((resolve) => {
      socket.client.subscribe(
        { query: deep('subscription', levels) },
        { next: resolve, error: resolve, complete: () => resolve(undefined) },
      );
    });
    expect(JSON.stringify(errors)).toMatch(refusal);
    await socket.client.dispose();
  });

  test('A deeply nested document is not accepted as a trusted document.', () => {
    expect(() => new TrustedDocuments([['deep', deep('', levels)]])).toThrow(refusal);
  });

  test('A deeply nested query in the shared cache of persisted queries is not parsed.', async () => {
    const query = deep('', levels);
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    await system.redis.set(`${system.prefix}:graph:apq:${sha256Hash}`, query);
    const answer = await post({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
    expect(answer.text).toMatch(/PERSISTED_QUERY_NOT_FOUND/);
  });
});
