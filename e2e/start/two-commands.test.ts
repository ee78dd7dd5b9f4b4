import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, rmdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '@ostiary/embedded';
import { eventually, recordSkip } from '@ostiary/service/testing';
import { auditAs } from '../invariants/audit.ts';
import { compileCache } from '../support/compile-cache.ts';
import { firstOfFreePorts } from '../support/ports.ts';
import { commandOf, cpuOf, processesOf, type Running, remaining } from './processes.ts';

const root = resolve(import.meta.dirname, '../..');
const everyProcess = ['auth', 'directory', 'provisioning', 'gateway', 'valkey', 'postgres'];

interface Started {
  child: ChildProcess;
  /** Output so far. */
  out: string;
  err: string;
  exit: Promise<number | null>;
  /** CPU seconds of the process and its children when it printed "Ready". */
  ready: Promise<number>;
}

let folder: string;
let home: string;
let port: number;
/** CPU seconds of a first start. Wall-clock time would depend on the load of the machine. */
let first: number;
const started = new Set<Started>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ostiary-commands-'));
  home = join(folder, 'home');
  port = await firstOfFreePorts();
});

afterEach(async () => {
  for (const run of started) {
    run.child.kill('SIGTERM');
    await run.exit;
  }
  started.clear();
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Runs the program of `npm start` on a built tree, in a separate process group like a terminal does. */
function start(env: NodeJS.ProcessEnv = {}, ...flags: string[]): Started {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'scripts', 'start.ts'), ...flags],
    {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        ...compileCache,
        OSTIARY_HOME: home,
        PORT: String(port),
        ...env,
      },
    },
  );
  const run: Started = {
    child,
    out: '',
    err: '',
    exit: once(child, 'close').then(([code]) => code as number | null),
    ready: new Promise((settled, failed) => {
      child.stdout.on('data', (chunk: Buffer) => {
        run.out += chunk.toString();
        if (/Ready\n/.test(run.out)) settled(cpuOf(child.pid ?? 0));
      });
      child.once('close', () => failed(new Error(`ended before it was ready: ${run.out}${run.err}`)));
    }),
  };
  run.ready.catch(() => undefined);
  child.stderr.on('data', (chunk: Buffer) => {
    run.err += chunk.toString();
  });
  started.add(run);
  return run;
}

/** Runs a start that must fail, and returns its error: one line without internals of the program. */
async function refusal(env: NodeJS.ProcessEnv, ...flags: string[]): Promise<string> {
  const run = start(env, ...flags);
  expect(await run.exit).toBe(1);
  started.delete(run);
  const lines = run.err.trimEnd().split('\n');
  expect(lines).toHaveLength(1);
  expect(run.out + run.err).not.toMatch(/\n\s+at |node:internal|Error:/);
  return lines[0] ?? '';
}

const processes = () => processesOf(home);

const isAuth = ({ pid }: Running): boolean => /auth.dist.main\.js/.test(commandOf(pid));

const edge = (path: string): string => `http://127.0.0.1:${port}${path}`;

async function listening(on: number): Promise<Server> {
  const server = createServer().listen(on, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Mounts a file system of 30 MB. @returns its path, or undefined if mounting is not permitted */
function smallDisk(): string | undefined {
  const path = mkdtempSync(join(tmpdir(), 'ostiary-small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=30m', 'tmpfs', path], { stdio: 'ignore' });
    return path;
  } catch {
    rmdirSync(path);
    return undefined;
  }
}

if (process.platform !== 'linux') recordSkip('this is not Linux');
const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux('npm start from nothing', () => {
  let run: Started;

  afterAll(async () => {
    run.child.kill('SIGTERM');
    await run.exit;
  });

  test('The edge is ready only when demo.json exists and its tokens work.', async () => {
    run = start();
    // It runs until the last of these tests.
    started.delete(run);
    const status = () =>
      fetch(edge('/readyz')).then(
        (answer) => answer.status,
        () => 0,
      );
    const seen = new Set<number>();
    for (let last = 0; last !== 200; last = await status()) {
      seen.add(last);
      await sleep(20);
    }
    const demo = JSON.parse(await readFile(join(home, 'demo.json'), 'utf8')) as {
      tenants: { demo: { scim: string; clients: { scim: { token: string } } } };
    };
    const { scim, clients } = demo.tenants.demo;
    const users = await fetch(`${scim}/Users?count=1`, {
      headers: { authorization: `Bearer ${clients.scim.token}` },
    });
    expect(users.status).toBe(200);
    // Requests during the setup got 503.
    expect(seen).toContain(503);
    first = await run.ready;
  });

  test('The dependencies, the build and the data of a first start take the disk that README.md states.', async () => {
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    const [, stated] = /The folder then takes (\d\.\d) GB of disk/.exec(readme) ?? [];
    const folders = globSync('{libs/*,services/*,gateway,cli,console}/{dist,node_modules}', { cwd: root });
    const { stdout } = await promisify(execFile)('du', ['-skc', 'node_modules', ...folders, home], {
      cwd: root,
    });
    const kibibytes = Number(/^(\d+)\ttotal$/m.exec(stdout)?.[1]);
    expect(Math.abs((kibibytes * 1024) / (Number(stated) * 1e9) - 1)).toBeLessThan(0.25);
  });

  test('npm start starts everything, prints the addresses and refuses a second start.', async () => {
    expect((await fetch(edge('/readyz'))).status).toBe(200);
    expect((await stat(join(home, 'demo.json'))).mode & 0o777).toBe(0o600);
    const demo = JSON.parse(await readFile(join(home, 'demo.json'), 'utf8')) as {
      origin: string;
      console: string;
      tenants: Record<
        string,
        { issuer: string; clients: Record<string, { client_id: string }>; users: object }
      >;
    };
    expect(demo.origin).toBe(`http://localhost:${port}`);
    expect(Object.keys(demo.tenants)).toEqual(['demo', 'rival']);
    for (const [name, tenant] of Object.entries(demo.tenants)) {
      expect(tenant.issuer).toBe(`${demo.origin}/t/${name}`);
      expect(Object.keys(tenant.clients)).toEqual([
        ...['admin', 'scim', 'web', 'webapp', 'device', 'api', 'orders'],
      ]);
      expect(Object.keys(tenant.users)).toEqual(['admin', 'alice', 'bob']);
    }
    expect(run.out).toContain(`${demo.origin}/graphql`);
    expect(demo.console).toBe(`${demo.origin}/console`);
    expect(run.out.indexOf(demo.console)).toBeLessThan(run.out.indexOf(`${demo.origin}/graphql`));
    const configuration = await fetch(`${demo.console}/config.json`);
    // A tree that was built without the console returns this message.
    if (configuration.status === 404) expect(await configuration.text()).toContain('without the console');
    else expect(await configuration.json()).toMatchObject({ issuerBase: `${demo.origin}/t/` });

    expect(await refusal({ PORT: String(await firstOfFreePorts()) })).toBe(
      `Ostiary already runs from ${home} at ${demo.origin} (process ${run.child.pid}): stop it with Ctrl-C there, or start a second one with another port and home: PORT=5000 OSTIARY_HOME=.ostiary-2 npm start`,
    );
    expect((await fetch(edge('/readyz'))).status).toBe(200);
  });

  test('npm start prints commands that work when they are pasted.', async () => {
    const printed = () => run.out.split('\n').filter((line) => line.trim().startsWith('curl '));
    await eventually(printed, ({ length }) => length >= 4);
    await sleep(100);
    const commands = printed();
    expect(commands).toHaveLength(4);
    const [scim, token, orders, graph] = commands.map(
      (command) =>
        JSON.parse(execFileSync('bash', ['-c', command], { encoding: 'utf8' })) as Record<string, unknown>,
    );
    expect(scim).toMatchObject({ totalResults: 1, Resources: [{ userName: 'alice' }] });
    expect(token).toMatchObject({ token_type: 'Bearer' });
    expect(orders).toMatchObject({ token_type: 'Bearer', scope: 'orders:read' });
    expect(graph).not.toHaveProperty('errors');
    expect(graph).toMatchObject({ data: { users: { totalCount: expect.any(Number) } } });
  });

  test('npm start restarts a crashed service while the others keep running and reports it.', async () => {
    const others = processes().filter((each) => !isAuth(each));
    process.kill(processes().find(isAuth)?.pid ?? 0, 'SIGKILL');
    await eventually(
      () => run.out,
      (out) => out.includes('auth is back'),
    );
    expect(run.out).toContain('auth ended (SIGKILL); starting it again in 0.25 s');
    expect(run.out).toContain('auth is back');
    expect(processes()).toEqual(expect.arrayContaining(others));
  });

  test('npm start leaves no process on Ctrl-C.', async () => {
    const running = processes();
    expect(running).toHaveLength(everyProcess.length);
    process.kill(-(run.child.pid ?? 0), 'SIGINT');
    expect(await run.exit).toBe(0);
    expect(run.err).toBe('');
    expect(remaining(running)).toEqual([]);
    expect(run.out).toMatch(/Stopped\n$/);
  });
});

describeOnLinux('npm start', () => {
  test('A restart has the same demo and takes no more work than a first start; a killed supervisor leaves no process.', async () => {
    const before = await readFile(join(home, 'demo.json'), 'utf8');
    // The format of an earlier release, which lacks later fields.
    const { console: _, ...earlier } = JSON.parse(before) as Record<string, unknown>;
    await writeFile(join(home, 'demo.json'), `${JSON.stringify(earlier, null, 2)}\n`);
    // Measured: 0.7 on an idle machine. Other load increases the CPU time of the same work.
    const allowed = 1.2 * first;
    const run = start();
    expect(await run.ready).toBeLessThan(allowed);
    expect(await readFile(join(home, 'demo.json'), 'utf8')).toBe(before);
    const running = processes();
    run.child.kill('SIGKILL');
    await run.exit;
    await eventually(
      () => remaining(running),
      ({ length }) => length === 0,
    );

    const again = start();
    expect(await again.ready).toBeLessThan(allowed);
    // The audit covers the changes of all tests above.
    const { code, output, errors } = await auditAs({ OSTIARY_HOME: home }, []);
    expect({ code, output, errors }).toEqual({
      code: 0,
      output: expect.stringMatching(/^All \d+ hold\./m),
      errors: '',
    });
    const survivors = processes();
    again.child.kill('SIGHUP');
    expect(await again.exit).toBe(0);
    expect(remaining(survivors)).toEqual([]);
  });

  test.each([
    ['Starting PostgreSQL', 'SIGINT'],
    // A closed terminal.
    ['Starting PostgreSQL', 'SIGHUP'],
    ['Applying migrations', 'SIGINT'],
    ['Starting auth', 'SIGINT'],
  ] as const)('npm start stops during the step: %s, on %s.', async (step, signal) => {
    const run = start();
    await eventually(
      () => run.out,
      (out) => out.includes(step),
    );
    process.kill(-(run.child.pid ?? 0), signal);
    expect(await run.exit).toBe(0);
    expect(processes()).toEqual([]);
    await expect(stat(join(home, 'lock.json'))).rejects.toThrow('ENOENT');
  });
});

describeOnLinux('npm start says in one sentence', () => {
  const elsewhere = (): NodeJS.ProcessEnv => ({ OSTIARY_HOME: join(folder, 'elsewhere') });

  test('npm start reports that a port is taken.', async () => {
    const first = await firstOfFreePorts();
    const other = await listening(first);
    try {
      expect(await refusal({ ...elsewhere(), PORT: String(first) })).toBe(
        `Port ${first}, needed by the gateway, is taken by another program: free it, or choose other ports, e.g. PORT=5000 npm start (the services use the three ports after it, and metrics the four from PORT + 100).`,
      );
    } finally {
      other.close();
    }
  });

  test('npm start reports that DATABASE_URL or REDIS_URL does not respond, without the passwords.', async () => {
    const nobody = await freePort();
    const database = await refusal({
      ...elsewhere(),
      DATABASE_URL: `postgres://me:hush@127.0.0.1:${nobody}/x`,
    });
    expect(database).toContain(`No PostgreSQL server answers at 127.0.0.1:${nobody}`);
    expect(database).not.toContain('hush');
    expect(await refusal({ ...elsewhere(), REDIS_URL: `redis://127.0.0.1:${nobody}` })).toContain(
      `No Valkey or Redis server answers at 127.0.0.1:${nobody}`,
    );
  });

  if (!process.env.TEST_DATABASE_URL) recordSkip('TEST_DATABASE_URL is not set');
  const withDatabase = process.env.TEST_DATABASE_URL ? test : test.skip;
  withDatabase('The start names a database that rejects the user.', async () => {
    const url = new URL(process.env.TEST_DATABASE_URL ?? '');
    url.pathname = '/no_such_database';
    expect(await refusal({ ...elsewhere(), DATABASE_URL: url.href })).toContain('no_such_database');
  });

  test('npm start reports that PORT or a flag is invalid.', async () => {
    expect(await refusal({ ...elsewhere(), PORT: '99999' })).toContain('PORT must be a number');
    expect(await refusal(elsewhere(), '--frsh')).toContain('npm start accepts only --fresh');
  });

  test('npm start reports that --fresh does not empty a database of the user.', async () => {
    const other = await listening(await freePort());
    try {
      const { port: there } = other.address() as { port: number };
      expect(
        await refusal({ ...elsewhere(), DATABASE_URL: `postgres://127.0.0.1:${there}/x` }, '--fresh'),
      ).toContain('--fresh empties only the embedded database');
    } finally {
      other.close();
    }
  });

  test('npm start reports that its home cannot be used.', async () => {
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    expect(await refusal({ OSTIARY_HOME: file })).toContain(`${file} cannot be used as a folder`);
  });

  // A file system of a given size requires root and permission to mount.
  const small = smallDisk();
  if (small === undefined) recordSkip('mounting is not permitted');
  afterAll(async () => {
    if (small === undefined) return;
    execFileSync('umount', [small]);
    await rm(small, { recursive: true, force: true });
  });

  (small === undefined ? test.skip : test)('The start names a full disk.', async () => {
    const full = join(small ?? '', 'home');
    const said = await refusal({ OSTIARY_HOME: full });
    expect(said).toContain(`The disk that holds ${full} is full`);
    expect(said).toContain('free some space there, or choose another place with OSTIARY_HOME');
  });
});
