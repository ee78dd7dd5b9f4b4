import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { runningDemo } from '../support/demo.ts';
import { exportedMetrics } from '../support/monitoring.ts';
import { ProtectedApi } from '../verifier/registered.ts';
import { GuardProcess } from './guard-process.ts';

const demo = runningDemo();
const { demo: tenant, rival } = demo.tenants;
let orders: ProtectedApi;
let guard: GuardProcess;

beforeAll(async () => {
  orders = await new ProtectedApi(demo, tenant).register();
  guard = await GuardProcess.start(orders);
  await eventually(
    () => guard.readiness(),
    (status) => status === 200,
  );
});

afterAll(() => guard?.stop());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const statusFor = async (token: string): Promise<number> => (await guard.ask(orders, bearer(token))).status;

test('The guard states a signed-in user to the API, and rejects the user after an offboarding by SCIM, and no other one.', async () => {
  const [leaver, colleague] = [await orders.hire(), await orders.hire()];
  const { status, headers } = await guard.ask(orders, bearer(leaver.token));
  expect([status, headers.get('x-ostiary-subject')]).toEqual([200, leaver.id]);
  const keys = createRemoteJWKSet(new URL(`http://127.0.0.1:${guard.port}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(headers.get('x-ostiary-assertion') ?? '', keys, {
    typ: 'guard+jwt',
    audience: new URL(orders.audience).host,
  });
  expect(payload.sub).toBe(leaver.id);
  await orders.offboard(leaver.id);
  await eventually(async () => (await statusFor(leaver.token)) === 401);
  expect(await statusFor(colleague.token)).toBe(200);
});

test('A token of another tenant for the same audience is rejected, and so is the guard of that tenant for this one.', async () => {
  const theirs = await new ProtectedApi(demo, rival, orders.audience).register();
  const { token } = await theirs.hire();
  expect([await statusFor(token), await statusFor(await theirs.clientToken())]).toEqual([401, 401]);
  const other = await GuardProcess.start(theirs);
  try {
    await eventually(async () => (await other.readiness()) === 200);
    const ask = async (own: string) => (await other.ask(theirs, bearer(own))).status;
    expect([await ask(token), await ask(await orders.clientToken())]).toEqual([200, 401]);
  } finally {
    await other.stop();
  }
});

test('Tokens for other resources are rejected: for another API, and for the own API of the tenant.', async () => {
  const others = await new ProtectedApi(demo, tenant).register();
  expect(await statusFor(await others.clientToken())).toBe(401);
  const { client_id: id, client_secret: secret } = tenant.clients.admin;
  const answer = await fetch(`${tenant.issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  expect([answer.status, await statusFor(token)]).toEqual([200, 401]);
});

test('The guard exports the metrics that docs/reference/metrics.md lists for it.', async () => {
  const page = readFileSync(new URL('../../docs/reference/metrics.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| `(\w+)[^|]* \|.*\| (?:all|guard) \|$/gm)].map(
    ([, name = '']) => name,
  );
  const exported = [...exportedMetrics([await (await fetch(guard.metricsUrl)).text()])].filter(
    (name) => name === 'process_ready' || !/^(?:nodejs|process)_/.test(name),
  );
  expect([...new Set(exported)].toSorted()).toEqual([...new Set(listed)].toSorted());
});

test('Without the secret of its client the guard is not ready, and logs the reason.', async () => {
  const { options } = orders;
  const wrong = Object.create(orders, { options: { value: { ...options, clientSecret: 'x'.repeat(43) } } });
  const other = await GuardProcess.start(wrong as ProtectedApi);
  try {
    await eventually(() => other.output.includes('guard.issuer_failed'));
    expect(await other.readiness()).toBe(503);
    expect(other.output).not.toContain('x'.repeat(43));
  } finally {
    expect(await other.stop()).toBe(0);
  }
});

test('With a wrong rules file the guard does not start, and names each wrong value.', async () => {
  const hosts = [{ host: 'Orders.example', audience: 'urn:orders', rules: [{ path: '/**', scope: 'a' }] }];
  const other = await GuardProcess.start(orders, { rules: { hosts } });
  expect(await other.ended()).toBe(1);
  expect(other.output).toContain('hosts[0].host must be a host in lower case');
  expect(other.output).toContain('hosts[0].rules[0].scope is unknown');
  await other.stop();
});
