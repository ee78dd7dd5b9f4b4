import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import {
  createHttp,
  createKit,
  currentTraceparent,
  HttpPeer,
  startTracing,
  tracingEnabled,
  withSpan,
} from '../../src/index.ts';

test('Without tracing, a request and all services that it calls stay in the trace of its caller.', async () => {
  expect(tracingEnabled()).toBe(false);
  const app = createHttp(createKit({ name: 'test', logLevel: 'silent' }));
  const seen: (string | undefined)[] = [];
  app.get('/', async (request) => {
    seen.push(currentTraceparent());
    if (request.headers['x-last'] === undefined)
      await peer.request({ method: 'GET', path: '/', headers: { 'x-last': '1' } });
    return {};
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const peer = new HttpPeer({ name: 'test', origin });
  const ask = (traceparent: string) => fetch(origin, { headers: { traceparent } });
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  await ask(`00-${trace}-00f067aa0ba902b7-01`);
  expect(seen).toHaveLength(2);
  for (const each of seen) expect(each).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
  // Each hop has its own parent id, which distinguishes two changes in one trace.
  expect(new Set([...seen, `00-${trace}-00f067aa0ba902b7-01`]).size).toBe(3);
  seen.length = 0;
  const unreadable = [
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-00f067aa0ba902b7-01`,
    `01-${trace}-00f067aa0ba902b7-01`,
    `00-${trace}-00f067aa0ba902b7-01-more`,
    '',
  ];
  for (const each of unreadable) await ask(each);
  expect(new Set(seen)).toEqual(new Set([undefined]));
  await peer.close();
  await app.close();
});

interface ExportedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
}

/** Starts a collector, and returns the received spans. */
async function collect(): Promise<{ url: string; spans: ExportedSpan[]; close: () => void }> {
  const spans: ExportedSpan[] = [];
  const collector = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const exported = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[] };
      for (const resource of exported.resourceSpans) {
        for (const scope of resource.scopeSpans) spans.push(...scope.spans);
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  return { url, spans, close: () => void collector.close() };
}

test('Spans join across HTTP and a stored traceparent, and reach the OTLP endpoint.', async () => {
  expect(tracingEnabled()).toBe(false);
  expect(currentTraceparent()).toBeUndefined();

  const collector = await collect();
  const { spans } = collector;
  const stop = await startTracing('test', collector.url);

  const app = createHttp(createKit({ name: 'test', logLevel: 'silent' }));
  let stored: string | undefined;
  app.get('/work/:id', async () => {
    await withSpan('SELECT things', {}, async () => undefined);
    stored = currentTraceparent();
    return {};
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const peer = new HttpPeer({
    name: 'test',
    origin: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
  });
  await withSpan('caller', {}, () => peer.request({ method: 'GET', path: '/work/1' }));
  await withSpan('job', { parent: stored }, async () => undefined);
  await peer.close();
  await app.close();
  await stop();
  collector.close();

  const named = (name: string) => spans.find((span) => span.name === name);
  const names = ['caller', 'GET test', 'GET /work/:id', 'SELECT things', 'job'];
  expect(new Set(names.map((name) => named(name)?.traceId)).size).toBe(1);
  expect(named('GET test')?.parentSpanId).toBe(named('caller')?.spanId);
  expect(named('GET /work/:id')?.parentSpanId).toBe(named('GET test')?.spanId);
  expect(named('SELECT things')?.parentSpanId).toBe(named('GET /work/:id')?.spanId);
  expect(named('job')?.parentSpanId).toBe(named('GET /work/:id')?.spanId);
});

const fromACaller = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test('Probes and pulls of the revocation feed are not traced, with a trace of the caller and without; other requests are.', async () => {
  const collector = await collect();
  const stop = await startTracing('test', collector.url);
  const app = createHttp(createKit({ name: 'test', logLevel: 'silent' }));
  app.get('/internal/v1/revocations', async () => ({}));
  app.get('/work', async () => ({}));
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const peer = new HttpPeer({ name: 'test', origin });
  for (const path of ['/livez', '/readyz', '/internal/v1/revocations', '/work']) {
    await fetch(`${origin}${path}`);
    await fetch(`${origin}${path}`, { headers: { traceparent: fromACaller } });
  }
  await peer.request({ method: 'GET', path: '/internal/v1/revocations', untraced: true });
  await peer.alive();
  await peer.close();
  await app.close();
  await stop();
  collector.close();
  expect(collector.spans.map(({ name }) => name)).toEqual(['GET /work', 'GET /work']);
});

test.each([
  [{ name: 'always_off' }, { own: [0, 0], called: [0, 0] }],
  [{ name: 'always_on' }, { own: [200, 200], called: [200, 200] }],
  [{ name: 'parentbased_always_off' }, { own: [0, 0], called: [200, 200] }],
  [
    { name: 'traceidratio', ratio: 0 },
    { own: [0, 0], called: [0, 0] },
  ],
  [
    { name: 'parentbased_traceidratio', ratio: 0.5 },
    { own: [60, 140], called: [200, 200] },
  ],
  [{}, { own: [200, 200], called: [200, 200] }],
] as const)('The sampling %j decides how many traces are recorded.', async (sampling, expected) => {
  const collector = await collect();
  const stop = await startTracing('test', collector.url, sampling);
  for (let each = 0; each < 200; each += 1) {
    await withSpan('own', {}, async () => undefined);
    await withSpan('called', { parent: fromACaller }, async () => undefined);
  }
  await stop();
  collector.close();
  for (const name of ['own', 'called'] as const) {
    const count = collector.spans.filter((span) => span.name === name).length;
    expect([name, count >= expected[name][0] && count <= expected[name][1]]).toEqual([name, true]);
  }
});
