/**
 * Global setup of the end-to-end tests: one running system with its demo tenants, for all of them.
 * OSTIARY_E2E is the path of its demo.json, OSTIARY_E2E_SYSTEM of a file with the URL of every process and
 * server. Set OSTIARY_E2E yourself to test against a system that is running already.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedDemo, startSystem } from '@ostiary/embedded/system';

export default async function setup() {
  if (process.env.OSTIARY_E2E) return;
  const given = process.env.OSTIARY_TEST_FOLDER;
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'ostiary-e2e-')));
  const said = [];
  const system = await startSystem({
    home: join(folder, 'system'),
    durable: false,
    // The matrix of rights asks more in a minute than anybody should.
    // The tests stand for a proxy when they say where somebody comes from.
    env: { GRAPH_POINTS_PER_MINUTE: '999999999', TRUSTED_PROXIES: 'loopback' },
    log: (message) => said.push(message),
  });
  try {
    await seedDemo(system, () => undefined);
  } catch (error) {
    await system.stopAll();
    throw error;
  }
  const { origin, urls, metricsUrls, databaseUrl, redisUrl, home } = system;
  process.env.OSTIARY_E2E = join(home, 'demo.json');
  process.env.OSTIARY_E2E_SYSTEM = join(home, 'system.json');
  await writeFile(
    process.env.OSTIARY_E2E_SYSTEM,
    JSON.stringify({ origin, urls, metricsUrls, databaseUrl, redisUrl, home }, null, 2),
    { mode: 0o600 },
  );
  globalThis.systemDatabase = databaseUrl;
  globalThis.stopSystem = async () => {
    await system.stopAll();
    if (given === undefined) await rm(folder, { recursive: true, force: true });
  };
}
