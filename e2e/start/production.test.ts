import { execFile, execFileSync, spawn } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '@ostiary/embedded';
import { eventually, recordSkip } from '@ostiary/service/testing';
import { firstOfFreePorts } from '../support/ports.ts';
import { codeBlocksOf, stepsOf } from './code-blocks.ts';
import { pasted } from './pasting.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const blocks = codeBlocksOf('start/production.md');

/** Debian's servers; of PostgreSQL the newest installed version. */
const postgresPrograms = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1);
const redisServer = globSync('/usr/bin/{redis,valkey}-server')[0];
const missing = [
  ...(postgresPrograms === undefined ? ['PostgreSQL'] : []),
  ...(redisServer === undefined ? ['Redis'] : []),
  ...(process.getuid?.() === 0 ? [] : ['root, as whom PostgreSQL is given its own user']),
];
if (missing.length > 0) recordSkip(`without ${missing.join(' and ')}`);
const describeOnStockEngines = missing.length === 0 ? describe : describe.skip;

let folder: string;
const started: { kill(signal: NodeJS.Signals): boolean }[] = [];

/** Creates and starts a server like `pg_createcluster`. Local connections as the administrator need no password. */
async function startPostgres(port: number): Promise<void> {
  const home = join(folder, 'postgresql');
  mkdirSync(home, { mode: 0o755 });
  execFileSync('chown', ['postgres', home]);
  const as = (program: string, ...args: string[]): string[] => [
    ...['-u', 'postgres', '--', join(postgresPrograms ?? '', program)],
    ...args,
  ];
  const data = join(home, 'data');
  // Roles with passwords need them; only the administrator, which no process uses, does not.
  execFileSync('runuser', as('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '--no-sync'), {
    stdio: 'pipe',
  });
  writeFileSync(
    join(data, 'pg_hba.conf'),
    'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n',
  );
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  started.push(
    spawn('runuser', as('postgres', '-D', data, ...settings.flatMap((setting) => ['-c', setting])), {
      stdio: 'ignore',
    }),
  );
  const ready = ['-h', '127.0.0.1', '-p', `${port}`];
  await eventually(
    () =>
      run(join(postgresPrograms ?? '', 'pg_isready'), ready).then(
        () => true,
        () => false,
      ),
    (isReady) => isReady,
  );
}

async function startRedis(port: number): Promise<void> {
  const home = join(folder, 'redis');
  mkdirSync(home);
  writeFileSync(join(home, 'redis.conf'), `port ${port}\nbind 127.0.0.1\ndir ${home}\n`);
  started.push(spawn(redisServer ?? '', [join(home, 'redis.conf')], { stdio: 'ignore' }));
  await eventually(
    () =>
      run('redis-cli', ['-p', `${port}`, 'ping']).then(
        ({ stdout }) => stdout,
        () => '',
      ),
    (answer) => answer.startsWith('PONG'),
  );
}

describeOnStockEngines('docs/start/production.md', () => {
  let here: (text: string) => string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ostiary-production-'));
    // PostgreSQL's user needs access to its files.
    execFileSync('chmod', ['755', folder]);
    for (const name of ['package.json', 'scripts', 'node_modules', 'libs', 'services', 'gateway', 'cli'])
      symlinkSync(join(root, name), join(folder, name));
    const [postgres, redis, operator] = [await freePort(), await freePort(), await freePort()];
    const first = await firstOfFreePorts();
    await Promise.all([startPostgres(postgres), startRedis(redis)]);
    here = (text) =>
      text
        .replaceAll(/\b5432\b/g, `${postgres}`)
        .replaceAll(/\b6379\b/g, `${redis}`)
        .replaceAll(/\b4200\b/g, `${operator}`)
        .replaceAll(/\b400([0-3])\b/g, (_port, offset: string) => `${first + Number(offset)}`);
  });

  afterAll(() => {
    for (const path of globSync(join(folder, 'ostiary/*.pid')))
      process.kill(Number(readFileSync(path, 'utf8')), 'SIGKILL');
    const postmaster = join(folder, 'postgresql/data/postmaster.pid');
    for (const path of globSync(postmaster))
      process.kill(Number.parseInt(readFileSync(path, 'utf8'), 10), 'SIGQUIT');
    // On SIGTERM, Redis would save first, and not end if its folder is gone.
    for (const child of started) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  test('The page leads from nothing to the first token and a response of the graph, pasted as it is.', async () => {
    const [, ...steps] = stepsOf(blocks.map((block) => ({ ...block, text: here(block.text) })));
    const lines = await pasted(steps, async (script) => {
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
        cwd: folder,
        timeout: 240_000,
        env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
      });
      return stdout;
    });
    expect(lines).toBe(6);
  });

  test('The four processes have separate roles and users, and only the administrator can read their files.', async () => {
    const common = readFileSync(join(folder, 'ostiary/auth.env'), 'utf8');
    expect(common).toMatch(/^DATABASE_URL=postgres:\/\/ostiary_auth:/m);
    for (const path of globSync(join(folder, 'ostiary/*.{env,json,secret}'))) {
      const { stdout } = await run('stat', ['-c', '%a', path]);
      expect([path, stdout.trim()]).toEqual([path, '600']);
    }
  });

  test('The users of Redis are stored in its ACL file for the next start.', () => {
    const file = readFileSync(join(folder, 'redis/redis.conf'), 'utf8');
    expect(file).toMatch(/^user ostiary_gateway on /m);
    expect(file).toMatch(/^appendonly yes$/m);
    // Default values are not written.
    expect(file).not.toMatch(/^maxmemory-policy (?!noeviction)/m);
  });

  test('No process logs a secret.', () => {
    const secrets = [...readFileSync(join(folder, 'ostiary/secrets.env'), 'utf8').matchAll(/^(\w+)=(.+)$/gm)];
    expect(secrets.length).toBeGreaterThan(10);
    const logs = globSync(join(folder, 'ostiary/*.log'))
      .map((path) => readFileSync(path, 'utf8'))
      .join('');
    expect(logs).toContain('"version":"');
    const logged = secrets.flatMap(([, name = '', secret = '']) => (logs.includes(secret) ? [name] : []));
    expect(logged).toEqual([]);
  });
});

test('The build at the beginning of production.md is the tested one.', () => {
  expect(blocks[0]?.text).toBe('npm ci\nnpm run build\n');
});
