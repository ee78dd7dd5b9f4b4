import { Writable } from 'node:stream';
import { afterEach, expect, test } from '@jest/globals';
import { createHttp, createKit } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import type { FastifyInstance } from 'fastify';
import { answerProxies, routedFor } from '../../src/decisions/decisions.http.ts';
import { noIdentity } from '../../src/decisions/domain/identity.ts';
import type { Decision, Decisions } from '../../src/decisions/index.ts';

let http: FastifyInstance | undefined;
afterEach(() => http?.close());

/** Serves decisions, and returns the answer to one request with the log entries about it. */
async function answered(decide: () => Promise<Decision>) {
  const lines: string[] = [];
  const logStream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const kit = createKit({ name: 'guard', logStream });
  const decisions = { decide } as unknown as Decisions;
  http = createHttp(kit, { routedAs: routedFor('traefik') });
  answerProxies(http, { kit, decisions, proxy: 'traefik' });
  const origin = await http.listen({ port: 0, host: '127.0.0.1' });
  const response = await fetch(`${origin}/verify`);
  const requestId = response.headers.get('x-request-id');
  const entries = await eventually(
    () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    (found) => found.some(({ status }) => status !== undefined),
  );
  return { status: response.status, entries: entries.filter((entry) => entry.requestId === requestId) };
}

test('A decision that fails is answered with 500, and logged with its cause under the id of the request.', async () => {
  const { status, entries } = await answered(async () => {
    throw new Error('unexpected');
  });
  expect(status).toBe(500);
  expect(entries).toEqual([
    expect.objectContaining({ level: 'error', event: 'guard.decision_failed', err: expect.anything() }),
    expect.objectContaining({ level: 'error', status: 500 }),
  ]);
});

test('An answer with 503 is logged as a warning.', async () => {
  const { status, entries } = await answered(async () => ({
    outcome: 'unavailable',
    status: 503,
    identity: noIdentity,
    headers: { 'retry-after': '1' },
  }));
  expect([status, entries]).toEqual([503, [expect.objectContaining({ level: 'warn', status: 503 })]]);
});
