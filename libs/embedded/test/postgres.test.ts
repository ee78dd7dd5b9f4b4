import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, waitBoundMs } from '@ostiary/service/testing';
import pg from 'pg';
import { freePort } from '../src/installation/ports.ts';
import { gone, identify, isAlive } from '../src/liveness.ts';
import { type PostgresServerHandle, startPostgres } from '../src/postgres.ts';
import { compileCache, EmptyCluster, temporaryFolder } from './fixture/installation.ts';

const log = () => undefined;
let folder: string;
let dataDirectory: string;
const started: PostgresServerHandle[] = [];
const empty = new EmptyCluster();

beforeEach(async () => {
  folder = await temporaryFolder();
  dataDirectory = join(folder, 'postgres');
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()));
  await rm(folder, { recursive: true, force: true });
});

afterAll(() => empty.remove());

/** Starts a server, by default on an existing cluster. */
async function start(
  options: {
    port?: number;
    durable?: boolean;
    socket?: boolean;
    onExit?: (reason: string) => void;
    created?: boolean;
  } = {},
): Promise<PostgresServerHandle> {
  const { created = true, ...more } = options;
  if (created) await empty.copyTo(dataDirectory);
  const server = await startPostgres({ dataDirectory, durable: false, log, ...more });
  started.push(server);
  return server;
}

async function query(server: { url: string }, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

describe('startPostgres', () => {
  test('The startPostgres function serves PostgreSQL 18 with many connections, and keeps data across a restart.', async () => {
    const first = await start({ created: false });
    expect(await query(first, 'show max_connections')).toEqual([{ max_connections: '300' }]);
    expect((await query(first, 'show server_version'))[0]?.server_version).toMatch(/^18\./);
    await query(first, 'create table kept (id int)');
    await first.stop();
    expect(first.pids.map((pid) => identify(pid))).toEqual([undefined]);

    const second = await start();
    expect(await query(second, 'select * from kept')).toEqual([]);
  });

  test('The embedded PostgreSQL writes through to the disk unless configured otherwise.', async () => {
    const server = await startPostgres({ dataDirectory, log });
    started.push(server);
    expect(await query(server, 'show fsync')).toEqual([{ fsync: 'on' }]);
  });

  test('The embedded PostgreSQL refuses connections without the password.', async () => {
    const server = await start();
    const client = new pg.Client({ connectionString: server.url.replace(/:[^:@]+@/, ':wrong@') });
    await expect(client.connect()).rejects.toThrow('password authentication failed');
  });

  test('The embedded PostgreSQL listens at a socket only when requested, and only its owner can access it.', async () => {
    const server = await start({ socket: true, created: false });
    const socket = join(dataDirectory, `.s.PGSQL.${server.port}`);
    expect((await stat(dataDirectory)).mode & 0o777).toBe(0o700);
    expect((await stat(socket)).isSocket()).toBe(true);
    expect(await query({ url: server.socketUrl ?? '' }, 'select inet_client_addr() as address')).toEqual([
      { address: null },
    ]);
    expect(await query(server, 'select host(inet_client_addr()) as address')).toEqual([
      { address: '127.0.0.1' },
    ]);
    const wrong = new pg.Client({ connectionString: server.url.replace(/:[^:@]+@/, ':wrong@') });
    await expect(wrong.connect()).rejects.toThrow('password authentication failed');
    await server.stop();

    const unasked = await start();
    expect(unasked.socketUrl).toBeUndefined();
    expect((await readdir(dataDirectory)).filter((name) => name.startsWith('.s.'))).toEqual([]);
  });

  test('A start with a data directory that is in use is rejected, and the error names the process.', async () => {
    await start();
    await expect(start()).rejects.toThrow(`is in use by process ${process.pid}`);
  });

  test('A start on a taken port reports the port, and leaves nothing behind.', async () => {
    const port = await freePort();
    const blocker = createServer().listen(port, '127.0.0.1');
    await once(blocker, 'listening');
    try {
      await expect(start({ port })).rejects.toThrow(`Port ${port}, chosen for PostgreSQL, is taken`);
      await expect(readFile(join(dataDirectory, 'postmaster.pid'))).rejects.toThrow('ENOENT');
    } finally {
      blocker.close();
    }
  });

  test('The embedded PostgreSQL starts again after its server was killed, and its owner is notified.', async () => {
    let reason: string | undefined;
    const killed = await start({ durable: true, onExit: (why) => (reason = why) });
    await query(killed, 'create table kept (id int)');
    const [pid = 0] = killed.pids;
    const identity = identify(pid);
    process.kill(pid, 'SIGKILL');
    expect(identity && (await gone(identity, waitBoundMs))).toBe(true);
    const again = await start();
    expect(await query(again, 'select * from kept')).toEqual([]);
    expect(await eventually(() => reason)).toBe('SIGKILL');
  });

  test('A start is not misled by a stale pid file whose number belongs to another program.', async () => {
    await (await start()).stop();
    await writeFile(join(dataDirectory, 'postmaster.pid'), `${process.pid}\n${dataDirectory}\n`);
    expect(await query(await start(), 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('A start finishes an interrupted initialisation.', async () => {
    await mkdir(`${dataDirectory}.new`, { recursive: true });
    await writeFile(join(`${dataDirectory}.new`, 'PG_VERSION'), '18\n');
    expect(await query(await start({ created: false }), 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('a killed supervisor', () => {
  async function supervise(): Promise<{ supervisor: number; server: number }> {
    await empty.copyTo(dataDirectory);
    const source = `
      import { startPostgres } from ${JSON.stringify(new URL('../src/postgres.ts', import.meta.url).href)};
      const server = await startPostgres({ dataDirectory: ${JSON.stringify(dataDirectory)}, durable: false, log() {} });
      console.log(server.pids[0]);
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...compileCache },
    });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return { supervisor: child.pid ?? 0, server: Number(line) };
  }

  test('A killed supervisor ends its server as well, through the guardian process.', async () => {
    const { supervisor, server } = await supervise();
    const identity = identify(server);
    expect(identity && isAlive(identity)).toBe(true);
    process.kill(supervisor, 'SIGKILL');
    expect(identity && (await gone(identity, waitBoundMs))).toBe(true);
    expect(await query(await start(), 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('A server left by a killed supervisor and guardian is stopped first by the next start.', async () => {
    const { supervisor, server } = await supervise();
    for (const guardian of await children(supervisor, 'guardian-process')) process.kill(guardian, 'SIGKILL');
    process.kill(supervisor, 'SIGKILL');
    const identity = identify(server);
    expect(identity && (await gone(identity, 500))).toBe(false);
    expect(await query(await start(), 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(identity && isAlive(identity)).toBe(false);
  });
});

/** Returns child processes whose command line contains a text. */
async function children(parent: number, text: string): Promise<number[]> {
  const child = spawn('ps', ['-A', '-o', 'pid=,ppid=,args='], { stdio: ['ignore', 'pipe', 'ignore'] });
  const found: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [pid, ppid] = line.trim().split(/\s+/).map(Number);
    if (pid !== undefined && ppid === parent && line.includes(text)) found.push(pid);
  }
  return found;
}
