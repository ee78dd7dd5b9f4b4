import { afterEach, expect, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import { freePort } from '@ostiary/embedded';
import { type RunningService, startGateway, startService } from '../support/system.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function readyz(url: string) {
  // States are cached for 250 ms.
  await new Promise((resolve) => setTimeout(resolve, 300));
  const response = await fetch(`${url}/readyz`);
  return {
    code: response.status,
    body: (await response.json()) as { status: string; dependencies: Record<string, { status: string }> },
  };
}

test('The gateway is not ready until every service was ready, is degraded when one fails, and is unavailable while it stops.', async () => {
  const issuer = new Issuer();
  const running: RunningService[] = await Promise.all([
    startService(issuer, 'auth'),
    startService(issuer, 'directory'),
  ]);
  closing.push(
    ...running.map(
      ({ app }) =>
        () =>
          app.close(),
    ),
  );
  const port = await freePort();
  const late = await startService(issuer, 'provisioning', { port });
  await late.app.close();
  const [auth, directory] = running as [RunningService, RunningService];
  const gateway = await startGateway(issuer, {
    auth: auth.origin,
    directory: directory.origin,
    provisioning: late.origin,
  });
  closing.push(() => gateway.app.close());

  const before = await readyz(gateway.url);
  expect(before.code).toBe(503);
  expect(before.body.dependencies).toMatchObject({
    supergraph: { status: 'up' },
    auth: { status: 'up' },
    directory: { status: 'up' },
    provisioning: { status: 'down' },
  });
  expect((await fetch(`${gateway.url}/livez`)).status).toBe(200);

  const back = await startService(issuer, 'provisioning', { port });
  closing.push(() => back.app.close());
  const ready = await readyz(gateway.url);
  expect([ready.code, ready.body.status]).toEqual([200, 'ready']);

  await back.app.close();
  const degraded = await readyz(gateway.url);
  expect([degraded.code, degraded.body.status, degraded.body.dependencies.provisioning?.status]).toEqual([
    200,
    'degraded',
    'down',
  ]);

  gateway.kit.health.drain();
  expect((await readyz(gateway.url)).code).toBe(503);
});

test('The gateway serves metrics and the index page.', async () => {
  const issuer = new Issuer();
  const gateway = await startGateway(issuer, {
    auth: 'http://127.0.0.1:1',
    directory: 'http://127.0.0.1:1',
    provisioning: 'http://127.0.0.1:1',
  });
  closing.push(() => gateway.app.close());
  await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{ users { id } }"}',
  });
  const metrics = await gateway.kit.metrics.metrics();
  expect(metrics).toMatch(/gateway_subgraph_failures_total\{.*subgraph="directory".*\} 1/);
  const page = await fetch(gateway.url);
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  expect(await page.text()).toContain('https://id.test/graphql');
});
