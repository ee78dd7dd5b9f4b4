import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@ostiary/embedded';
import { eventually } from '@ostiary/service/testing';
import { load, medianRun } from '../measure.ts';
import { adminToken, type BenchContext, type Row, type Scenario } from '../scenario.ts';
import { type Client, registered, tokenOf } from './company-api.ts';

const program = fileURLToPath(new URL('../../services/guard/dist/main.js', import.meta.url));
const host = 'orders.example';
const audience = `https://${host}`;

/** Number of tokens that are sent repeatedly. */
const usual = 64;
/** Number of tokens that are sent once each. */
const single = 3_000;

/** CPU of the guard per request of a proxy, with and without a token whose signature is already known. */
export const guard: Scenario = {
  name: 'guard',
  async run(context) {
    const token = await adminToken(context);
    const server = await registered(context, token, { protectedResources: [audience] });
    const app = await registered(context, token, { resources: [audience] });
    const folder = await mkdtemp(join(tmpdir(), 'ostiary-guard-'));
    const process = await startGuard(context, server, folder);
    try {
      return await measured(context, app, process);
    } finally {
      process.child.kill();
      await once(process.child, 'exit');
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function measured(
  context: BenchContext,
  app: Client,
  { url, pid }: { url: string; pid: number },
): Promise<Row[]> {
  const { seconds, rounds, log } = context;
  const asked = (path: string, tokens: readonly string[]) => {
    let turn = 0;
    return {
      method: 'GET' as const,
      setupRequest: (request: object) => ({
        ...request,
        headers: headersFor(path, tokens[turn++ % tokens.length]),
      }),
    };
  };
  const rows: Row[] = [];
  const add = async (name: string, path: string, tokens: readonly string[], amount?: number) => {
    const runs = [];
    for (let round = 0; round < (amount === undefined ? rounds : 1); round++)
      runs.push(
        await load({ url, requests: [asked(path, tokens)], seconds, pids: [pid], ...(amount && { amount }) }),
      );
    const { cpuMicros, perSecond, p50, p99, failures } = medianRun(runs);
    rows.push({ name, figures: { 'CPU µs': cpuMicros, 'per second': perSecond, p50, p99, failures } });
    log(`guard: ${name}`);
  };
  const tokens = await Promise.all(Array.from({ length: usual }, () => tokenOf(context, app, audience)));
  await add('public path', '/public/x', []);
  await add('repeated tokens', '/orders', tokens);
  const others: string[] = [];
  while (others.length < single)
    others.push(...(await Promise.all(Array.from({ length: 50 }, () => tokenOf(context, app, audience)))));
  await add('new tokens', '/orders', others, single);
  return rows;
}

const headersFor = (path: string, token: string | undefined) => ({
  'x-forwarded-method': 'GET',
  'x-forwarded-host': host,
  'x-forwarded-uri': path,
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
});

async function startGuard({ demo }: BenchContext, server: Client, folder: string) {
  const [port, metricsPort, path] = [await freePort(), await freePort(), join(folder, 'guard.json')];
  const rules = [{ path: '/public/**', public: true }, { path: '/**' }];
  await writeFile(path, JSON.stringify({ hosts: [{ host, audience, rules }] }));
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: 'warn',
      PROXY: 'traefik',
      ISSUER: demo.tenants.demo.issuer,
      CLIENT_ID: server.client_id,
      CLIENT_SECRET: server.client_secret,
      RULES_PATH: path,
      GUARD_KEY: randomBytes(32).toString('base64url'),
    },
  });
  const ready = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually(ready);
  return { child, pid: child.pid ?? 0, url: `http://127.0.0.1:${port}/verify` };
}
