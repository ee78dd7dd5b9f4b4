import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTracing, withSpan } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { consumerDefaults, createDepot, type Depot } from './fixture.ts';

interface OtlpSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
}

/** Starts a collector for OTLP/HTTP with JSON. */
async function collector() {
  const spans: OtlpSpan[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { resourceSpans = [] } = JSON.parse(body) as {
      resourceSpans?: { scopeSpans: { spans: OtlpSpan[] }[] }[];
    };
    spans.push(...resourceSpans.flatMap((r) => r.scopeSpans.flatMap((s) => s.spans)));
    response.setHeader('content-type', 'application/json').end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { spans, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

let depot: Depot;
let otlp: Awaited<ReturnType<typeof collector>>;

beforeAll(async () => {
  otlp = await collector();
  depot = await createDepot();
});

afterAll(async () => {
  await depot.close();
  otlp.server.close();
  otlp.server.closeAllConnections();
});

test('One trace leads from the change through the outbox to the job and its SQL.', async () => {
  const stopTracing = await startTracing('test', otlp.url);
  await depot.startRelay();
  depot.startConsumer({ handle: consumerDefaults.handle });
  await withSpan('PATCH /Users/{id}', {}, () => depot.publish(1));
  await eventually(
    () => depot.effects(),
    (effects) => effects.length === 1,
  );
  // The span ends just after its effect is visible.
  await eventually(
    () => depot.deliveries(),
    (rows) => rows.length === 0,
  );
  await stopTracing();

  const find = (name: string) => otlp.spans.find((span) => span.name === name);
  const request = find('PATCH /Users/{id}');
  const job = find('process user.updated');
  expect(job).toMatchObject({ traceId: request?.traceId, parentSpanId: request?.spanId });
  expect(find('INSERT depot.outbox_deliveries')).toMatchObject({ parentSpanId: request?.spanId });
  expect(find('INSERT depot.inbox_entries')).toMatchObject({
    traceId: request?.traceId,
    parentSpanId: job?.spanId,
  });
  expect(find('INSERT depot.effects')).toMatchObject({ parentSpanId: job?.spanId });
});
