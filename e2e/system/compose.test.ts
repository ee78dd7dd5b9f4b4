import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort, startPostgres, startValkey } from '@ostiary/embedded';
import { processNames, redisRules } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { parse } from 'yaml';
import { usersScript } from '../../scripts/redis-users.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const commands: Record<string, string> = {
  migrate: 'scripts/migrate.mjs',
  auth: 'services/auth/dist/main.js',
  directory: 'services/directory/dist/main.js',
  provisioning: 'services/provisioning/dist/main.js',
  gateway: 'gateway/dist/main.js',
};

const children: ChildProcess[] = [];
const engines: { stop(): Promise<void> }[] = [];
let home: string;
let environments: Record<string, Record<string, string>>;
let ports: Record<string, number>;

/** What Compose does with `${NAME}`, `${NAME:-default}` and `${NAME:?message}`. */
function interpolate(text: string, values: Record<string, string>): string {
  return text.replace(
    /\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g,
    (_all, name: string, kind: string, rest: string) => {
      const value = values[name];
      if (value) return value;
      if (kind === '?') throw new Error(`${name}: ${rest}`);
      return rest ?? '';
    },
  );
}

const run = (name: string): ChildProcess => {
  const child = spawn(process.execPath, [join(root, commands[name] ?? '')], {
    // Nothing of this machine's environment: what the compose file says is all there is.
    env: { PATH: process.env.PATH, ...environments[name] },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.push(child);
  return child;
};

/** The only thing Docker's network does for them: names become addresses. */
function onLoopback(
  name: string,
  key: string,
  value: string,
  engine: { postgres: string; valkey: string },
): string {
  if (key === 'DATABASE_URL')
    return name === 'migrate' ? engine.postgres : withPlaceOf(value, engine.postgres);
  if (key === 'REDIS_URL') return withPlaceOf(value, engine.valkey);
  if (key === 'PORT') return String(ports[name]);
  if (key === 'HOST') return '127.0.0.1';
  if (key === 'PUBLIC_ORIGIN') return `http://localhost:${ports.gateway}`;
  return value.replace(
    /^http:\/\/(auth|directory|provisioning|gateway):\d+$/,
    (_all, host: string) => `http://127.0.0.1:${ports[host]}`,
  );
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'ostiary-compose-'));
  const log = () => undefined;
  const postgres = await startPostgres({ dataDirectory: join(home, 'postgres'), durable: false, log });
  engines.push(postgres);
  ports = Object.fromEntries(
    await Promise.all(
      ['auth', 'directory', 'provisioning', 'gateway'].map(async (name) => [name, await freePort()]),
    ),
  ) as Record<string, number>;

  const secrets = execFileSync(process.execPath, [join(root, 'scripts/make-secrets.mjs')], {
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .map((line) => line.split('=') as [string, string]);
  const passwords = Object.fromEntries(secrets);
  const valkey = await startValkey({
    dataDirectory: join(home, 'valkey'),
    log,
    access: {
      password: 'nobody-has-this-one',
      users: processNames.map((name) => ({
        name: `ostiary_${name}`,
        password: passwords[`REDIS_PASSWORD_${name.toUpperCase()}`] ?? '',
        rules: redisRules(name, 'ostiary'),
      })),
    },
  });
  engines.push(valkey);
  const text = interpolate(
    await readFile(join(root, 'docker-compose.yml'), 'utf8'),
    Object.fromEntries(secrets),
  );
  const compose = parse(text, { merge: true }) as {
    services: Record<string, { environment?: Record<string, string> }>;
  };

  environments = Object.fromEntries(
    Object.keys(commands).map((name) => [
      name,
      Object.fromEntries(
        Object.entries(compose.services[name]?.environment ?? {}).map(([key, value]) => [
          key,
          onLoopback(name, key, String(value ?? ''), { postgres: postgres.url, valkey: valkey.url }),
        ]),
      ),
    ]),
  );
});

/** The credentials of one address at the place of another. */
function withPlaceOf(address: string, place: string): string {
  const [own, at] = [new URL(address), new URL(place)];
  own.host = at.host;
  own.pathname = at.pathname;
  return own.href;
}

afterAll(async () => {
  await Promise.all(
    children.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    }),
  );
  await Promise.all(engines.map((engine) => engine.stop()));
  await rm(home, { recursive: true, force: true });
});

test('With exactly the environment of docker-compose.yml, the system migrates, gets ready, answers and stops.', async () => {
  const [code] = (await once(run('migrate'), 'exit')) as [number | null];
  expect(code).toBe(0);
  for (const name of ['auth', 'directory', 'provisioning', 'gateway']) run(name);
  const origin = `http://127.0.0.1:${ports.gateway}`;
  await eventually(
    () =>
      fetch(`${origin}/readyz`).then(
        (response) => response.status,
        () => 0,
      ),
    (status) => status === 200,
  );
  // Tokens between services aren't to be had at the edge.
  expect((await fetch(`${origin}/t/platform/token`, { method: 'POST' })).status).toBe(404);
  const operator = await fetch(`http://127.0.0.1:${ports.auth}/t/platform/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`operator:${environments.auth?.OPERATOR_CLIENT_SECRET}`).toString('base64')}`,
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      resource: 'urn:ostiary:service:directory',
    }),
  });
  expect(operator.status).toBe(200);
  // Production hides what only developers need.
  const introspection = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ __schema { types { name } } }' }),
  });
  expect(((await introspection.json()) as { data?: unknown }).data ?? null).toBeNull();

  for (const child of children.filter((running) => running.exitCode === null)) {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    expect((await exit)[0]).toBe(0);
  }
});

test('The users of its Valkey are those that the registry of keys generates.', async () => {
  expect(await readFile(join(root, 'deploy/valkey-users.sh'), 'utf8')).toBe(usersScript());
});
