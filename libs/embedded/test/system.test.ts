import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, waitBoundMs } from '@ostiary/service/testing';
import { freePort } from '../src/installation/ports.ts';
import { gone, identify, type ProcessIdentity } from '../src/liveness.ts';
import type { System } from '../src/running-system.ts';
import { type SystemOptions, startSystem } from '../src/system.ts';
import { compileCache, EmptyCluster, fixtureTree } from './fixture/installation.ts';

type Tree = Awaited<ReturnType<typeof fixtureTree>>;
let tree: Tree;
let system: System | undefined;
const empty = new EmptyCluster();

afterAll(() => empty.remove());

async function end(): Promise<void> {
  await system?.stopAll();
  system = undefined;
  await tree.remove();
}

/** Starts the tree's system, by default on an existing cluster. */
async function start({
  created = true,
  ...options
}: Partial<SystemOptions> & { created?: boolean } = {}): Promise<System> {
  if (created) await empty.copyTo(join(tree.home, 'postgres'));
  system = await startSystem({
    home: tree.home,
    root: tree.root,
    durable: false,
    log: () => undefined,
    ...options,
    env: { ...compileCache, ...options.env },
  });
  return system;
}

const environmentOf = async (url: string): Promise<Record<string, string>> =>
  (await (await fetch(`${url}/env`)).json()) as Record<string, string>;

const pidsOf = (running: System): ProcessIdentity[] =>
  ['auth', 'directory', 'provisioning', 'gateway', 'postgres', 'valkey'].flatMap((name) => {
    const pid = running.pid(name);
    return pid === undefined ? [] : [identify(pid) ?? { pid, started: '' }];
  });

const allGone = async (identities: readonly ProcessIdentity[], timeoutMs: number): Promise<boolean> =>
  (await Promise.all(identities.map((identity) => gone(identity, timeoutMs)))).every(Boolean);

describe('a running system', () => {
  let running: System;
  const said: string[] = [];
  const warnings: string[] = [];

  beforeAll(async () => {
    tree = await fixtureTree();
    running = await start({
      env: { LOG_LEVEL: 'warn', DATABASE_URL: 'postgres://ignored', npm_config_x: '1', HOST: '0.0.0.0' },
      log: (message) => said.push(message),
      onWarning: (name, message) => warnings.push(`${name}: ${message}`),
    });
  });
  afterAll(end);

  test('The startSystem function gives every process its settings, and no process the secrets of another.', async () => {
    const { urls, origin, databaseUrl, env, secrets } = running;
    expect(origin).toBe(`http://localhost:${new URL(urls.gateway).port}`);
    const auth = await environmentOf(urls.auth);
    expect(auth).toMatchObject({
      HOST: '127.0.0.1',
      PUBLIC_ORIGIN: origin,
      DATABASE_URL: env.auth.DATABASE_URL,
      DIRECTORY_URL: urls.directory,
      ENCRYPTION_KEY: secrets.ENCRYPTION_KEY,
      OPERATOR_CLIENT_SECRET: secrets.OPERATOR_CLIENT_SECRET,
      LOG_LEVEL: 'warn',
    });
    // Each process has its own login, and none uses the owner's.
    const addresses = [env.auth, env.directory, env.provisioning].map(({ DATABASE_URL }) => DATABASE_URL);
    expect(new Set([databaseUrl, ...addresses]).size).toBe(4);
    const directory = await environmentOf(urls.directory);
    expect(directory).toMatchObject({
      AUTH_URL: urls.auth,
      SERVICE_CLIENT_SECRET: secrets.SERVICE_CLIENT_SECRET_DIRECTORY,
    });
    for (const name of [
      'ENCRYPTION_KEY',
      'TOKEN_KEY',
      'OPERATOR_CLIENT_SECRET',
      'REDIS_PASSWORD_AUTH',
      'npm_config_x',
    ]) {
      expect(directory).not.toHaveProperty(name);
    }
    const gateway = await environmentOf(urls.gateway);
    expect(gateway).toMatchObject({ HOST: '0.0.0.0', PROVISIONING_URL: urls.provisioning });
    for (const name of ['DATABASE_URL', 'EVENT_KEY', 'TOKEN_KEY']) expect(gateway).not.toHaveProperty(name);
  });

  test('A process that crashes is restarted while the others stay up, and the restart is reported.', async () => {
    const before = running.pid('directory');
    const others = ['auth', 'provisioning', 'gateway'].map((name) => running.pid(name));
    await fetch(`${running.urls.directory}/crash`).catch(() => undefined);
    await eventually(() => running.pid('directory') !== before);
    await running.ready('directory');
    expect(running.pid('directory')).not.toBe(before);
    expect(['auth', 'provisioning', 'gateway'].map((name) => running.pid(name))).toEqual(others);
    expect(said).toContain('directory ended (exit code 3); starting it again in 0.25 s');
  });

  test('A process that was stopped, or killed without a restart, stays down until it is started.', async () => {
    await running.kill('auth', 'SIGKILL', { restart: false });
    await sleep(600);
    expect(running.pid('auth')).toBeUndefined();
    await running.start('auth');
    expect(running.pid('auth')).toBeDefined();
    await running.restart('auth');
    await running.stop('auth');
    expect(running.pid('auth')).toBeUndefined();
    await running.start('auth');
  });

  test('Databases that crash are restarted on the same address.', async () => {
    for (const name of ['postgres', 'valkey']) {
      const before = running.pid(name);
      await running.kill(name, 'SIGKILL');
      await running.ready(name);
      expect(running.pid(name)).not.toBe(before);
    }
    await running.stop('postgres');
    await running.start('postgres');
    const { DATABASE_URL } = await environmentOf(running.urls.auth);
    expect(DATABASE_URL).toBe(running.env.auth.DATABASE_URL);
    expect(new URL(DATABASE_URL ?? '').host).toBe(new URL(running.databaseUrl).host);
  });

  test('A warning of a process is forwarded once.', async () => {
    await fetch(`${running.urls.auth}/warn`);
    await fetch(`${running.urls.auth}/warn`);
    await eventually(() => warnings.length !== 0);
    // The output is checked twice more in this time.
    await sleep(1_100);
    expect(warnings).toEqual(['auth: the dependency is slow']);
    expect(await readFile(join(tree.home, 'logs', 'auth.log'), 'utf8')).toContain('the dependency is slow');
  });

  test('The startSystem function stops every process it started.', async () => {
    const extra = await running.spawnExtra('auth', { env: { LOG_LEVEL: 'debug' } });
    expect(extra.name).toBe('auth-2');
    expect(await environmentOf(extra.url)).toMatchObject({
      LOG_LEVEL: 'debug',
      PUBLIC_ORIGIN: running.origin,
    });
    const identities = [...pidsOf(running), identify(running.pid('auth-2') ?? 0)].filter(
      (i) => i !== undefined,
    );
    expect(identities).toHaveLength(7);
    await running.stopAll();
    expect(await allGone(identities, 0)).toBe(true);
  });
});

describe('startSystem', () => {
  afterEach(end);

  test('The startSystem function keeps its secrets, readable by their owner only, until it starts fresh.', async () => {
    tree = await fixtureTree();
    const first = await start({ created: false, only: [] });
    const path = join(tree.home, 'secrets.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(Buffer.from(first.secrets.ENCRYPTION_KEY, 'base64url')).toHaveLength(32);
    await first.stopAll();
    const second = await start({ created: false, only: [] });
    expect(second.secrets).toEqual(first.secrets);
    await second.stopAll();
    expect((await start({ created: false, only: [], fresh: true })).secrets).not.toEqual(first.secrets);
  });

  test('The startSystem function starts only the requested processes.', async () => {
    tree = await fixtureTree();
    const running = await start({ only: ['directory'] });
    expect(() => running.pid('auth')).toThrow('There is no process auth');
    expect(running.pid('directory')).toBeDefined();
  });
});

describe('a start that cannot succeed', () => {
  afterEach(end);

  test('A start while another one runs from the same home fails with an error that names it and the remedy.', async () => {
    tree = await fixtureTree();
    const first = await start({ only: [] });
    const second = startSystem({ home: tree.home, root: tree.root, log: () => undefined });
    await expect(second).rejects.toThrow(
      `Ostiary already runs from ${tree.home} at ${first.origin} (process ${process.pid}): stop it with Ctrl-C there, or start a second one with another port and home: PORT=5000 OSTIARY_HOME=.ostiary-2 npm start`,
    );
  });

  test('A start replaces the lock of a process that has ended.', async () => {
    tree = await fixtureTree();
    await (await start({ only: [] })).stopAll();
    await writeFile(join(tree.home, 'lock.json'), JSON.stringify({ pid: process.pid, started: 'long ago' }));
    await expect(start({ only: [] })).resolves.toBeDefined();
  });

  test('A start that fails because a port is taken names the port.', async () => {
    tree = await fixtureTree();
    const port = await freePort();
    const blocker = createServer().listen(port, '127.0.0.1');
    await once(blocker, 'listening');
    try {
      await expect(start({ ports: { directory: port } })).rejects.toThrow(
        `Port ${port}, needed by the directory, is taken by another program`,
      );
    } finally {
      blocker.close();
    }
  });

  test('A start with an unreachable DATABASE_URL or REDIS_URL names the variable and hides the password.', async () => {
    tree = await fixtureTree();
    const port = await freePort();
    const database = start({ databaseUrl: `postgres://me:hush@127.0.0.1:${port}/x` });
    await expect(database).rejects.toThrow(
      `No PostgreSQL server answers at 127.0.0.1:${port}, where DATABASE_URL points (ECONNREFUSED)`,
    );
    await expect(database).rejects.not.toThrow('hush');
    await expect(start({ redisUrl: `redis://127.0.0.1:${port}` })).rejects.toThrow('where REDIS_URL points');
    await expect(start({ databaseUrl: 'mysql://x' })).rejects.toThrow(
      'DATABASE_URL must be a URL that starts with',
    );
  });

  test('A start that fails because of a migration names it and the reason, and stops all started processes.', async () => {
    const failing = `console.error('directory: relation "users" is in the way'); process.exit(1);`;
    tree = await fixtureTree({ migrate: { directory: failing } });
    await expect(start()).rejects.toThrow(
      'Migrating the database of directory failed: directory: relation "users" is in the way',
    );
    await expect(readFile(join(tree.home, 'postgres', 'postmaster.pid'))).rejects.toThrow('ENOENT');
    await expect(readFile(join(tree.home, 'lock.json'))).rejects.toThrow('ENOENT');
  });

  test('A start that fails because of a full disk reports that, wherever the error occurred.', async () => {
    const full = `console.error('ERROR: could not extend file: No space left on device'); process.exit(1);`;
    tree = await fixtureTree({ migrate: { auth: full } });
    await expect(start()).rejects.toThrow(`The disk that holds ${tree.home} is full`);
  });

  test('A start that fails because a service exits gives its reason immediately, without waiting for the others.', async () => {
    const broken = `console.error('auth: ENCRYPTION_KEY is not set.'); process.exit(1);`;
    const waiting = `setInterval(() => {}, 1000);`;
    tree = await fixtureTree({ main: { auth: broken, gateway: waiting } });
    await expect(start()).rejects.toThrow('auth ended (exit code 1): auth: ENCRYPTION_KEY is not set; see ');
    // The timeout would be a minute.
  });

  test('A start that is aborted stops all started processes.', async () => {
    tree = await fixtureTree({ main: { gateway: `setInterval(() => {}, 1000);` } });
    const abort = new AbortController();
    const starting = start({ signal: abort.signal });
    setTimeout(() => abort.abort(), 1_500);
    await expect(starting).rejects.toThrow('aborted');
    await expect(readFile(join(tree.home, 'lock.json'))).rejects.toThrow('ENOENT');
  });

  test('A start that fails because the home is a file reports that.', async () => {
    tree = await fixtureTree();
    await writeFile(tree.home, '');
    await expect(start({ created: false })).rejects.toThrow('because a file is in its way');
  });
});

describe('a killed supervisor', () => {
  afterEach(end);

  test('A killed supervisor of the system leaves no process behind, and the next start works.', async () => {
    tree = await fixtureTree();
    await empty.copyTo(join(tree.home, 'postgres'));
    const source = `
      import { startSystem } from ${JSON.stringify(new URL('../src/system.ts', import.meta.url).href)};
      const system = await startSystem({ home: ${JSON.stringify(tree.home)}, root: ${JSON.stringify(tree.root)}, durable: false, log() {} });
      console.log(JSON.stringify(['auth', 'directory', 'provisioning', 'gateway', 'postgres', 'valkey'].map((name) => system.pid(name))));
    `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...compileCache },
    });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const identities = (JSON.parse(line) as number[]).flatMap((pid) => identify(pid) ?? []);
    expect(identities).toHaveLength(6);
    child.kill('SIGKILL');
    expect(await allGone(identities, waitBoundMs)).toBe(true);
    await expect(start()).resolves.toBeDefined();
  });
});
