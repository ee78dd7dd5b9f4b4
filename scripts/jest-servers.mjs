/**
 * Jest's global setup: one PostgreSQL and one Valkey for all integration tests of a run, unless
 * TEST_DATABASE_URL and TEST_REDIS_URL point to others.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, startValkey } from '@ostiary/embedded';

export default async function setup() {
  if (process.env.TEST_DATABASE_URL && process.env.TEST_REDIS_URL) return;
  const folder = process.env.OSTIARY_TEST_FOLDER ?? (await mkdtemp(join(tmpdir(), 'ostiary-test-')));
  const log = () => undefined;
  const [postgres, valkey] = await Promise.all([
    startPostgres({ dataDirectory: join(folder, 'servers', 'postgres'), durable: false, log }),
    startValkey({ log }),
  ]);
  process.env.TEST_DATABASE_URL = postgres.url;
  process.env.TEST_REDIS_URL = valkey.url;
  globalThis.stopTestServers = async () => {
    await Promise.all([postgres.stop(), valkey.stop()]);
    await rm(join(folder, 'servers'), { recursive: true, force: true });
  };
}
