import { execFile, execFileSync, spawn } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@ostiary/embedded';
import { eventually } from '@ostiary/service/testing';

const run = promisify(execFile);

/** Debian's servers; of PostgreSQL the newest installed version. */
const programs = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1) ?? '';
const redisServer = globSync('/usr/bin/{redis,valkey}-server')[0] ?? '';

/** Missing programs of the tests on stock servers. */
export const missingServers: readonly string[] = [
  ...(programs === '' ? ['PostgreSQL'] : []),
  ...(redisServer === '' ? ['Redis'] : []),
  ...(process.getuid?.() === 0 ? [] : ['root, as whom PostgreSQL is given its own user']),
];

/** Servers as operated in production: each in a folder of PostgreSQL's user, controlled by shell commands. */
export class StockServers {
  readonly home: string;
  readonly #folders = new Set<string>();
  #redis: ReturnType<typeof spawn> | undefined;

  constructor(name: string) {
    this.home = mkdtempSync(join(tmpdir(), `ostiary-${name}-`));
    execFileSync('chown', ['postgres', this.home]);
    execFileSync('chmod', ['755', this.home]);
  }

  /** Runs commands in bash as PostgreSQL's user, with the environment of libpq and pg_ctl. @returns the output */
  async shell(script: string, env: Record<string, string> = {}): Promise<string> {
    if (env.PGDATA) this.#folders.add(env.PGDATA);
    const { stdout } = await run(
      'runuser',
      ['-u', 'postgres', '--', 'bash', '-euo', 'pipefail', '-c', script],
      {
        cwd: this.home,
        timeout: 60_000,
        env: {
          PATH: `${programs}:${dirname(process.execPath)}:${process.env.PATH}`,
          PGUSER: 'postgres',
          ...env,
        },
      },
    );
    return stdout;
  }

  /**
   * Creates and starts a server like `pg_createcluster`. Local connections as the administrator need no password;
   * others do.
   */
  async cluster(data: string, port: number): Promise<void> {
    await this.shell('initdb -U postgres --auth=trust --no-sync', { PGDATA: data });
    writeFileSync(
      join(data, 'pg_hba.conf'),
      [
        'host all postgres 127.0.0.1/32 trust',
        'host replication postgres 127.0.0.1/32 trust',
        'host all all 127.0.0.1/32 scram-sha-256\n',
      ].join('\n'),
    );
    writeFileSync(
      join(data, 'postgresql.conf'),
      "listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nfsync = off\nwal_retrieve_retry_interval = '200ms'\n",
    );
    await this.shell('pg_ctl -l "$PGDATA/first.log" start', { PGDATA: data, PGPORT: `${port}` });
  }

  /** Starts an empty Redis. @returns its port */
  async redis(): Promise<number> {
    const port = await freePort();
    const dir = join(this.home, 'redis');
    mkdirSync(dir);
    const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', dir, '--save', ''];
    this.#redis = spawn(redisServer, settings, { stdio: 'ignore' });
    const answers = () =>
      run('redis-cli', ['-p', `${port}`, 'ping']).then(
        ({ stdout }) => stdout,
        () => '',
      );
    await eventually(answers, (answer) => answer.startsWith('PONG'));
    return port;
  }

  async stop(): Promise<void> {
    this.#redis?.kill('SIGKILL');
    for (const data of this.#folders)
      await this.shell('pg_ctl -m immediate stop', { PGDATA: data }).catch(() => undefined);
    rmSync(this.home, { recursive: true, force: true });
  }
}
