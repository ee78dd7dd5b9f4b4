import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Programs of PostgreSQL 15 (Debian's package postgresql-15). */
const programs = '/usr/lib/postgresql/15/bin';

/** Returns why tests with a separate server cannot run here; undefined when they can. */
export const withoutStockPostgres = (): string | undefined =>
  existsSync(join(programs, 'initdb')) ? undefined : 'postgresql-15 is not installed';

/** PostgreSQL does not run as root. */
const account = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};

export interface StockPostgres {
  /** URL of its superuser, for the database `postgres`. */
  url: string;
  data: string;
  query(text: string): Promise<pg.QueryResult>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  /** Stops it and deletes its files. */
  remove(): Promise<void>;
}

/** Creates a folder on a separate file system of `megabytes`; needs root. */
export function smallDisk(megabytes: number): { path: string; freeBytes(): number; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'ostiary-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]);
  return {
    path,
    freeBytes: () => {
      const { bavail, bsize } = statfsSync(path);
      return bavail * bsize;
    },
    remove: () => {
      execFileSync('umount', ['-l', path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Starts a server with Debian's defaults. @param o.of creates a standby of this server; o.folder of its files */
export async function stockPostgres(
  o: { of?: StockPostgres; folder?: string; settings?: readonly string[] } = {},
): Promise<StockPostgres> {
  const own = mkdtempSync(join(o.folder ?? tmpdir(), 'ostiary-pg-'));
  const ids = account();
  if (ids) chownSync(own, ids.uid, ids.gid);
  const data = join(own, 'data');
  const run = (name: string, args: readonly string[]) =>
    execFileSync(join(programs, name), args, { ...ids, cwd: own, stdio: 'pipe' });
  if (o.of) run('pg_basebackup', ['-d', o.of.url, '-D', data, '-R', '-X', 'stream', '--checkpoint=fast']);
  else
    run('initdb', [
      '-D',
      data,
      '-U',
      'postgres',
      '--auth=trust',
      '-E',
      'UTF8',
      '--no-sync',
      '--wal-segsize=1',
    ]);
  const port = await freePort();
  const settings = [
    "listen_addresses = '127.0.0.1'",
    `port = ${port}`,
    "unix_socket_directories = ''",
    'fsync = off',
  ];
  settings.push('max_wal_size = 4MB', 'min_wal_size = 2MB', ...(o.settings ?? []));
  appendFileSync(join(data, 'postgresql.conf'), `\n${settings.join('\n')}\n`);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const remove = () => rmSync(own, { recursive: true, force: true });
  const server = runningIn({ data, url, own, ids, remove });
  await server.start();
  return server;
}

interface Place {
  data: string;
  url: string;
  own: string;
  ids: { uid: number; gid: number } | undefined;
  remove(): void;
}

async function ask(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end().catch(() => {});
  }
}

function runningIn({ data, url, own, ids, remove }: Place): StockPostgres {
  let child: ReturnType<typeof spawn> | undefined;
  const stop = async (signal: NodeJS.Signals = 'SIGQUIT'): Promise<void> => {
    if (!child || child.exitCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  return {
    url,
    data,
    query: (text) => ask(url, text),
    async start() {
      child = spawn(join(programs, 'postgres'), ['-D', data], { ...ids, cwd: own, stdio: 'ignore' });
      for (let attempt = 0; ; attempt += 1) {
        try {
          await ask(url, 'SELECT 1');
          return;
        } catch (error) {
          if (attempt > 200 || child.exitCode !== null) throw error;
          await sleep(50);
        }
      }
    },
    stop,
    async remove() {
      await stop();
      remove();
    },
  };
}

/** Fills a disk completely with another file. @returns the function that frees the space */
export function fill(disk: { path: string }): () => void {
  const filler = join(disk.path, 'filler');
  mkdirSync(disk.path, { recursive: true });
  for (const size of [1 << 20, 1 << 14, 1 << 12]) {
    try {
      for (;;) {
        const { bavail, bsize } = statfsSync(disk.path);
        if (bavail * bsize < size) break;
        writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
      }
    } catch {
      // ENOSPC: the disk is full.
    }
  }
  return () => rmSync(filler, { force: true });
}
