/**
 * Jest global setup: one PostgreSQL and one Valkey for all integration tests of a run, and one system with demo tenants
 * for the end-to-end tests. Each starts when a test file first needs it (environment.mjs). TEST_DATABASE_URL and
 * TEST_REDIS_URL name other servers, OSTIARY_E2E the demo.json of a running system.
 */
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startPostgres, startValkey } from '@ostiary/embedded';
import { seedDemo, startSystem } from '@ostiary/embedded/system';
import { compileCache } from '../../e2e/support/compile-cache.ts';
import { prepareHome } from '../../e2e/support/prepared-home.ts';

const silent = () => undefined;

/** tmpfs of Linux: copying and deleting hundreds of databases costs half as much as on a disk. */
const memory = '/dev/shm';
const memoryNeeded = 4 * 2 ** 30;

/** Authorization server with cheap password hashing; exists after a shared system has started. */
const quickAuth = fileURLToPath(new URL('../../services/auth/dist/quicker.js', import.meta.url));

export default async function setup() {
  if (globalThis.testProvider !== undefined) return;
  const given = process.env.OSTIARY_TEST_FOLDER;
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'ostiary-test-')));
  const started = new Map();
  const stops = [];
  const start = {
    servers: () => startServers(folder, stops),
    system: () => startSharedSystem(folder, stops),
  };
  const startedOnce = (need) => {
    if (!started.has(need)) started.set(need, start[need]());
    return started.get(need);
  };
  /**
   * Prepares the home from the shared system, which `npm test` needs in any case, and from its authorization server:
   * one with expensive hashing would rehash each password of the home at sign-in. Without it, a leased system starts
   * from an empty home.
   */
  const preparedHome = async () => {
    await (given === undefined ? started.get('system') : startedOnce('system'));
    return made();
  };
  /** Home of this run, or of the previous run in the same folder. */
  const made = () => {
    const home = join(folder, 'prepared');
    return existsSync(home) ? { OSTIARY_TEST_HOME: home, OSTIARY_TEST_AUTH: quickAuth } : {};
  };
  const answers = { home: preparedHome, made };
  let pool;
  /** Loaded when a file first leases a system. */
  const systems = () => {
    pool ??= import('../../e2e/support/systems/system-pool.ts').then(
      ({ SystemPool, preparedBy }) => new SystemPool(async () => preparedBy(await preparedHome())),
    );
    return pool;
  };
  const path = `/${randomBytes(16).toString('hex')}/`;
  const provider = createServer(async (request, response) => {
    const need = request.url?.startsWith(path) ? request.url.slice(path.length) : '';
    if (need.startsWith('systems/')) return void answerFor(systems, need, request, response);
    const answer = Object.hasOwn(answers, need) ? answers[need] : undefined;
    if (answer === undefined && !Object.hasOwn(start, need)) return response.writeHead(404).end();
    try {
      response.end(JSON.stringify(await (answer === undefined ? startedOnce(need) : answer())));
    } catch (error) {
      response.writeHead(500).end(String(error?.message ?? error));
    }
  });
  await new Promise((done) => provider.listen(0, '127.0.0.1', done));
  provider.unref();
  process.env.OSTIARY_TEST_PROVIDER = `http://127.0.0.1:${provider.address().port}${path}`;
  globalThis.testProvider = {
    /** @returns the problems found at the end of the shared system */
    async stop() {
      await Promise.allSettled(started.values());
      const flaws = [];
      await pool?.then((systems) => systems.stop()).catch((error) => flaws.push(String(error)));
      for (const stop of stops) flaws.push(...((await stop()) ?? []));
      provider.close();
      if (given === undefined) await rm(folder, { recursive: true, force: true });
      return flaws;
    },
  };
}

/** Handles requests of test files for leased systems. */
async function answerFor(systems, need, request, response) {
  try {
    const pool = await systems();
    const { id, method, args, ...asked } = await json(request);
    const answer = {
      'systems/lease': () => pool.lease(asked),
      'systems/call': () => pool.call(id, method, args),
      'systems/broken': () => pool.broken(id),
      'systems/release': () => pool.release(id, asked),
    };
    if (!Object.hasOwn(answer, need)) return response.writeHead(404).end();
    response.end(JSON.stringify({ result: await answer[need]() }));
  } catch (error) {
    response.writeHead(500).end(String(error?.message ?? error));
  }
}

/** @returns a folder in memory if there is enough, otherwise the given one. Deletes those of killed runs. */
async function inMemory(folder) {
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  if (Math.min(process.availableMemory(), bavail * bsize) < memoryNeeded) return folder;
  for (const name of await readdir(memory)) {
    const [, pid] = /^ostiary-test-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) {
      await rm(join(memory, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
  return mkdtemp(join(memory, `ostiary-test-${process.pid}-`)).catch(() => folder);
}

/** @returns the variables with the addresses of the servers */
async function startServers(folder, stops) {
  const { TEST_DATABASE_URL, TEST_REDIS_URL } = process.env;
  if (TEST_DATABASE_URL && TEST_REDIS_URL) return { TEST_DATABASE_URL, TEST_REDIS_URL };
  const data = await inMemory(join(folder, 'servers'));
  const [postgres, valkey] = await Promise.all([
    startPostgres({ dataDirectory: join(data, 'postgres'), durable: false, socket: true, log: silent }),
    startValkey({ log: silent }),
  ]);
  stops.push(async () => {
    await Promise.all([postgres.stop(), valkey.stop()]);
    await rm(data, { recursive: true, force: true });
  });
  return { TEST_DATABASE_URL: postgres.socketUrl ?? postgres.url, TEST_REDIS_URL: valkey.url };
}

/** @returns the paths of its demo.json and of a file with the URL of every process and server */
async function startSharedSystem(folder, stops) {
  const { OSTIARY_E2E, OSTIARY_E2E_SYSTEM } = process.env;
  if (OSTIARY_E2E) return { OSTIARY_E2E, ...(OSTIARY_E2E_SYSTEM ? { OSTIARY_E2E_SYSTEM } : {}) };
  const system = await startSystem({
    home: join(folder, 'system'),
    durable: false,
    // The authorization matrix exceeds the default limit. Tests act as a proxy when they set the address of a client.
    env: {
      ...compileCache,
      GRAPH_POINTS_PER_MINUTE: '999999999',
      TRUSTED_PROXIES: 'loopback',
      // Its request log is not read; tests of logs use leased systems.
      LOG_LEVEL: 'warn',
    },
    // Its password hashing is cheap.
    programs: { auth: await bundleQuickAuth() },
    log: silent,
  });
  try {
    await seedDemo(system, silent);
    await prepareHome(system, join(folder, 'prepared'));
  } catch (error) {
    await system.stopAll();
    throw error;
  }
  const { origin, urls, metricsUrls, databaseUrl, redisUrl, home } = system;
  const description = join(home, 'system.json');
  await writeFile(
    description,
    JSON.stringify({ origin, urls, metricsUrls, databaseUrl, redisUrl, home }, null, 2),
    { mode: 0o600 },
  );
  stops.push(async () => {
    const flaws = await brokenInvariants(databaseUrl);
    await system.stopAll();
    await reportDeadlocks(join(home, 'logs'));
    return flaws;
  });
  return { OSTIARY_E2E: join(home, 'demo.json'), OSTIARY_E2E_SYSTEM: description };
}

/** Inputs of the bundle, including the options of its start. */
const ofQuickAuth = [
  'dist/main.cjs',
  'dist/main.js',
  'test/support/quicker-main.ts',
  'test/support/quicker.ts',
];

/** Bundles the authorization server with cheap hashing, unless it exists. @returns its path */
async function bundleQuickAuth() {
  const auth = fileURLToPath(new URL('../../services/auth', import.meta.url));
  const digest = createHash('sha256');
  for (const path of ofQuickAuth) digest.update(await readFile(join(auth, path)));
  const wanted = digest.digest('hex');
  const stamp = join(auth, 'dist', 'quicker.digest');
  const made = await readFile(stamp, 'utf8').catch(() => '');
  if (made === wanted && existsSync(quickAuth)) return quickAuth;
  await rm(stamp, { force: true });
  const bundle = fileURLToPath(new URL('../bundle.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [bundle, 'quicker=test/support/quicker-main.ts'], {
    cwd: auth,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The authorization server of the tests could not be bundled: ${stderr}`);
  await writeFile(stamp, wanted);
  return quickAuth;
}

/**
 * Prints the deadlocks that PostgreSQL resolved by ending a transaction. Users do not notice them, because it runs
 * again.
 */
async function reportDeadlocks(logs) {
  for (const name of await readdir(logs).catch(() => [])) {
    const lines = (await readFile(join(logs, name), 'utf8')).split('\n');
    for (const [at, line] of lines.entries()) {
      if (!line.includes('deadlock detected')) continue;
      process.stderr.write(
        `Deadlock in the shared system (${name}):\n${lines.slice(at, at + 14).join('\n')}\n`,
      );
    }
  }
}

/** Verifies the invariants of the shared system after the tests. */
async function brokenInvariants(databaseUrl) {
  const audit = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('../audit-invariants.ts', import.meta.url))],
    {
      env: { ...process.env, DATABASE_URL: databaseUrl },
      encoding: 'utf8',
    },
  );
  return audit.status === 0 ? [] : [`The invariants don't hold:\n${audit.stdout}${audit.stderr}`];
}
