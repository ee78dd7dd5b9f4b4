import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '@ostiary/embedded';
import { eventually } from '@ostiary/service/testing';
import { Redis } from 'ioredis';
import pg from 'pg';
import { find, manifestsOf, podOf } from '../repository/kubernetes/rendered.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';

/** Tests /readyz of real processes while a dependency responds with errors. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const services = ['auth', 'directory', 'provisioning'] as const;
type Service = (typeof services)[number];

interface Answer {
  code: number;
  text: string;
  status: string;
  dependencies: Record<string, { status: string; required: boolean; reason?: string; impairs?: string }>;
}

let own: OwnSystem;
let admin: pg.Client;
let redis: Redis;
const extra: ChildProcess[] = [];

beforeAll(async () => {
  own = await ownSystem({ fresh: true });
  admin = new pg.Client({ connectionString: own.system.databaseUrl });
  await admin.connect();
  redis = new Redis(own.system.redisUrl);
});

afterEach(() => {
  for (const child of extra.splice(0)) child.kill('SIGKILL');
});

afterAll(async () => {
  await admin?.end();
  redis?.disconnect();
  await own?.stop();
});

async function readyz(url: string): Promise<Answer> {
  const response = await fetch(`${url}/readyz`);
  const text = await response.text();
  return { code: response.status, text, ...(JSON.parse(text) as Omit<Answer, 'code' | 'text'>) };
}

/** Waits until /readyz returns the wanted state. */
const says = (url: string, wanted: (answer: Answer) => boolean): Promise<Answer | undefined> =>
  eventually(
    () => readyz(url).catch(() => undefined),
    (answer) => answer !== undefined && wanted(answer),
  );

/** Waits for the given reason: a busy machine may report a timeout first. */
const isDown =
  (dependency: string, reason: string) =>
  ({ dependencies }: Answer): boolean =>
    dependencies[dependency]?.reason === reason;

/** Starts another process of a service without waiting for its readiness. */
async function start(name: Service | 'gateway', env: Record<string, string>): Promise<string> {
  const port = await freePort();
  const folder = name === 'gateway' ? join(root, name) : join(root, 'services', name);
  extra.push(
    spawn(process.execPath, [join(folder, 'dist', 'main.js')], {
      cwd: folder,
      stdio: 'ignore',
      env: {
        ...own.system.env[name],
        ...env,
        PORT: String(port),
        METRICS_PORT: String(await freePort()),
        ...(name === 'gateway' && { OPERATOR_PORT: String(await freePort()) }),
      },
    }),
  );
  return `http://127.0.0.1:${port}`;
}

/** /readyz is public at the edge, so it must not contain details. */
function expectNoDetail({ text }: Answer): void {
  expect(text).not.toMatch(/127\.0\.0\.1|localhost|:\d{4,5}|SELECT|_prisma|ostiary_|relation|20261\d+/i);
}

/** Each dependency that makes a process degraded states the functions that are unavailable. */
function expectImpairs(name: string, { dependencies }: Answer): void {
  const down = Object.entries(dependencies).filter(([, { status }]) => status === 'down');
  expect([name, down.length]).not.toEqual([name, 0]);
  const without = down.filter(([, { impairs }]) => !/^[A-Z].+\.$/.test(impairs ?? ''));
  expect([name, without]).toEqual([name, []]);
}

test('A read-only database makes all three services unavailable with the reason, and the edge names the unavailable services.', async () => {
  await admin.query('ALTER SYSTEM SET default_transaction_read_only = on');
  await admin.query('SELECT pg_reload_conf()');
  try {
    for (const name of services) {
      const answer = await says(own.system.urls[name], isDown('postgresql', 'read_only'));
      expect([name, answer?.code]).toEqual([name, 503]);
      expect(answer?.dependencies.postgresql?.impairs).toMatch(/^(Users|Identity sources) /);
      if (answer) expectNoDetail(answer);
    }
    const edge = await says(own.system.urls.gateway, ({ dependencies }) =>
      services.every((name) => dependencies[name]?.status === 'down'),
    );
    expect([edge?.code, edge?.status]).toEqual([200, 'degraded']);
    for (const name of services) {
      expect(edge?.dependencies[name]).toMatchObject({
        status: 'down',
        required: false,
        reason: 'not_ready',
      });
      expect(edge?.dependencies[name]?.impairs).toMatch(/^(Users|Identity sources) /);
    }
    if (edge) expectNoDetail(edge);
  } finally {
    await admin.query('SET default_transaction_read_only = off; SET transaction_read_only = off');
    await admin.query('ALTER SYSTEM RESET default_transaction_read_only');
    await admin.query('SELECT pg_reload_conf()');
  }
  for (const name of services)
    expect((await says(own.system.urls[name], ({ code }) => code === 200))?.code).toBe(200);
});

test('A full Redis makes auth unavailable, and the other processes report that they are degraded, with the reason.', async () => {
  await redis.config('SET', 'maxmemory', '1');
  try {
    const auth = await says(own.system.urls.auth, isDown('redis', 'out_of_memory'));
    expect(auth?.code).toBe(503);
    // In Kubernetes, auth stays an endpoint, because requests that do not write to Redis still work.
    const { spec } = podOf(find(manifestsOf('base'), 'Deployment', 'auth'));
    const probed = await fetch(own.system.urls.auth + spec.containers[0].readinessProbe?.httpGet.path);
    expect([probed.status, await probed.json()]).toEqual([
      200,
      expect.objectContaining({ status: 'degraded', draining: false }),
    ]);
    for (const name of ['directory', 'provisioning', 'gateway'] as const) {
      const answer = await says(own.system.urls[name], isDown('redis', 'out_of_memory'));
      expect([name, answer?.code, answer?.status]).toEqual([name, 200, 'degraded']);
      if (answer) {
        expectNoDetail(answer);
        expectImpairs(name, answer);
      }
    }
  } finally {
    await redis.config('SET', 'maxmemory', '0');
  }
  expect((await says(own.system.urls.auth, ({ code }) => code === 200))?.code).toBe(200);
});

test.each(services)(
  'A %s whose schema lacks a migration, or was contracted past this version, is unavailable with the reason, and ready with a later additive migration.',
  async (name) => {
    const url = own.system.urls[name];
    const { rows } = await admin.query<{ id: string }>(
      `UPDATE ${name}._prisma_migrations SET finished_at = NULL
     WHERE migration_name = (SELECT max(migration_name) FROM ${name}._prisma_migrations) RETURNING id`,
    );
    try {
      const answer = await says(url, isDown('postgresql', 'schema_outdated'));
      expect(answer?.code).toBe(503);
      if (answer) expectNoDetail(answer);
    } finally {
      await admin.query(`UPDATE ${name}._prisma_migrations SET finished_at = now() WHERE id = $1`, [
        rows[0]?.id,
      ]);
    }
    await says(url, ({ code }) => code === 200);
    await admin.query(
      `INSERT INTO ${name}._prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ('later', '', '20990101000000_later', now(), 1)`,
    );
    try {
      // A migration of the next release, with which processes of this release run during the upgrade. /readyz reuses a
      // result for 250 ms.
      await sleep(300);
      expect((await readyz(url)).code).toBe(200);
      await admin.query(`COMMENT ON TABLE ${name}._prisma_migrations IS 'needs 20990101000000_later'`);
      expect((await says(url, isDown('postgresql', 'schema_contracted')))?.code).toBe(503);
    } finally {
      await admin.query(`COMMENT ON TABLE ${name}._prisma_migrations IS NULL`);
      await admin.query(`DELETE FROM ${name}._prisma_migrations WHERE id = 'later'`);
    }
    expect((await says(url, ({ code }) => code === 200))?.code).toBe(200);
  },
);

test.each(services)(
  'A %s that starts before its database is migrated runs and reports that.',
  async (name) => {
    const empty = `empty_${name}_${Date.now().toString(36)}`;
    await admin.query(`CREATE DATABASE ${empty}`);
    const address = new URL(own.system.env[name].DATABASE_URL ?? '');
    address.pathname = `/${empty}`;
    const url = await start(name, { DATABASE_URL: address.href });
    const answer = await says(url, isDown('postgresql', 'schema_missing'));
    expect(answer?.code).toBe(503);
    if (answer) expectNoDetail(answer);
    for (const child of extra.splice(0)) child.kill('SIGKILL');
    await admin.query(`DROP DATABASE ${empty} WITH (FORCE)`);
  },
);

test.each(['directory', 'provisioning', 'gateway'] as const)(
  'A %s with an unknown service secret is unavailable and reports that its credential is rejected.',
  async (name) => {
    const url = await start(name, { SERVICE_CLIENT_SECRET: 'not the secret that auth knows' });
    const answer = await says(url, isDown('service-credential', 'credential_rejected'));
    expect(answer?.code).toBe(503);
    if (answer) {
      expectNoDetail(answer);
      expect(answer.text).not.toContain('not the secret');
    }
  },
);
