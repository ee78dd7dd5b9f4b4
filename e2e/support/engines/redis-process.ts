import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { processNames, redisRules } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { Redis } from 'ioredis';
import { type Certificates, tlsSettings } from './certificates.ts';

/** The Redis server, which is also Sentinel and cluster node; from Debian's package `redis-server`. */
export const redisServerPath =
  process.env.REDIS_SERVER_PATH ||
  ['/usr/bin/redis-server', '/usr/local/bin/redis-server'].find((path) => existsSync(path));

/** Password of the administrator, and of the servers among each other. */
export const administrator = 'administrator-of-tests';
/** Password of every process, each with its own user name. */
const processPassword = 'process-of-tests';

/** Users as in production: an administrator, and each process with minimal permissions. */
export const users = (prefix = 'ostiary'): string[] => [
  `user default on #${sha256(administrator)} ~* &* +@all`,
  ...processNames.map(
    (name) =>
      `user ostiary_${name} reset on #${sha256(processPassword)} ${redisRules(name, prefix).join(' ')}`,
  ),
];

/**
 * Returns the REDIS_URL of each process. @param address the part after the user @param scheme such as `redis+cluster`
 */
export const addressesFor = (scheme: string, address: string): Record<string, string> =>
  Object.fromEntries(
    processNames.map((name) => [
      `REDIS_URL_${name.toUpperCase()}`,
      `${scheme}://ostiary_${name}:${encodeURIComponent(processPassword)}@${address}`,
    ]),
  );

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns a free port on loopback for which port + 10,000 is free too, for the cluster bus. */
export async function freeRedisPort(): Promise<number> {
  for (;;) {
    // Both ports are below the ephemeral range.
    const port = 11_000 + Math.floor(Math.random() * 11_000);
    if (given.has(port) || !(await isFree(port)) || !(await isFree(port + 10_000))) continue;
    for (const one of [port, port + 10_000, port - 10_000]) given.add(one);
    return port;
  }
}

/** Reserved ports of servers and their buses. */
const given = new Set<number>();

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/** Processes to end with this process. */
const running = new Set<ChildProcess>();
const endAll = () => {
  for (const child of running) child.kill('SIGKILL');
};

/** A Redis server program on loopback with its own folder, which can be killed and restarted. */
export class RedisProcess {
  readonly port: number;
  readonly #arguments: readonly string[];
  readonly #folder: string;
  readonly #password: string;
  readonly #tls: Certificates | undefined;
  #child: ChildProcess | undefined;
  #admin: Redis | undefined;

  /** @param given arguments of `redis-server` @param password of its administrator @param tls without it, TLS is off */
  constructor(
    port: number,
    folder: string,
    given: readonly string[],
    { password = administrator, tls }: { password?: string; tls?: Certificates | undefined } = {},
  ) {
    this.port = port;
    this.#password = password;
    this.#tls = tls;
    this.#folder = folder;
    this.#arguments = given;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Connection of the administrator. */
  get admin(): Redis {
    this.#admin ??= new Redis({
      host: '127.0.0.1',
      port: this.port,
      password: this.#password,
      lazyConnect: true,
      maxRetriesPerRequest: 1,
      // A stopped server does not answer.
      commandTimeout: 1_500,
      retryStrategy: (attempt) => Math.min(20 * attempt, 200),
      enableReadyCheck: false,
      ...(this.#tls && { tls: clientTls(this.#tls) }),
    }).on('error', () => undefined);
    return this.#admin;
  }

  async start(): Promise<void> {
    if (!redisServerPath) throw new Error('there is no redis-server: set REDIS_SERVER_PATH');
    const child = spawn(
      redisServerPath,
      [
        ...this.#arguments,
        ...(this.#tls ? tlsSettings(this.#tls, this.port) : ['--port', String(this.port)]),
        '--bind',
        '127.0.0.1',
        '--logfile',
        join(this.#folder, 'log'),
      ],
      { cwd: this.#folder, stdio: 'ignore' },
    );
    this.#child = child;
    if (!process.listeners('exit').includes(endAll)) process.once('exit', endAll);
    running.add(child);
    child.once('exit', () => running.delete(child));
    await eventually(
      () => {
        if (child.exitCode !== null)
          throw new Error(`redis-server ended with ${child.exitCode}: see ${this.#folder}`);
        return this.admin.ping().catch((error: unknown) => String(error));
      },
      (answer) => answer === 'PONG',
    );
  }

  /** Sends a signal: SIGKILL for a crash, SIGSTOP and SIGCONT for a hang. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    if (signal === 'SIGKILL' || signal === 'SIGTERM') await once(child, 'exit');
  }

  async stop(): Promise<void> {
    this.#admin?.disconnect();
    this.#admin = undefined;
    await this.kill('SIGKILL');
  }
}

/** Returns the TLS options for ioredis. */
export const clientTls = ({ ca, servername }: Certificates): { ca: string; servername: string } => ({
  ca: readFileSync(ca, 'utf8'),
  servername,
});
