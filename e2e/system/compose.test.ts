import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { usersScript } from '../../scripts/redis-users.ts';
import { type ComposeSystem, composeSystem, envFile } from '../images/compose-system.ts';
import { lineageOf, parseDockerfile } from '../images/dockerfile.ts';
import { codeBlocksOf, type Step, stepsOf } from '../start/code-blocks.ts';
import { pasted } from '../start/pasting.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const [secrets, start, ...commands] = stepsOf(codeBlocksOf('start/docker-compose.md'));
const stages = parseDockerfile(await readFile(join(root, 'Dockerfile'), 'utf8'));
const processes = ['auth', 'directory', 'provisioning', 'gateway'];

const children: ChildProcess[] = [];
let folder: string;
let system: ComposeSystem;

/** Returns the environment and the command of a container. */
function containerOf(name: string): { env: Record<string, string>; command: string[] } {
  const instructions = lineageOf(stages, name).flatMap((stage) => stage.instructions);
  const image = instructions
    .filter(({ keyword }) => keyword === 'ENV')
    .flatMap(({ words }) => words.map((word) => word.split(/=(.*)/s).slice(0, 2) as [string, string]));
  const { words = [] } = instructions.findLast(({ keyword }) => keyword === 'CMD') ?? {};
  return {
    // The operator port of the image is fixed; on this machine it varies.
    env: { ...Object.fromEntries(image), ...system.env(name), OSTIARY_OPERATOR_URL: system.operatorUrl },
    command: [...words],
  };
}

function startContainer(name: string): ChildProcess {
  const { env, command } = containerOf(name);
  const [, program = ''] = command;
  const child = spawn(process.execPath, [join(root, program)], {
    // No other variables of this machine.
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.push(child);
  return child;
}

/**
 * Runs code of the page. `docker compose exec -T` runs the command in the repository with the environment of the
 * container.
 */
async function shell(script: string): Promise<string> {
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    timeout: 60_000,
    env: { PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}` },
  });
  return stdout;
}

const addressed = (text: string): string =>
  text
    .replaceAll(/http:\/\/localhost:4000|https:\/\/id\.example\.com/g, system.origin)
    .replaceAll(
      /http:\/\/(auth|directory|provisioning):\d+/g,
      (_address, name: string) => system.urls[name] ?? '',
    );

/** Returns steps of a page with the addresses of this system. */
const here = (steps: readonly Step[]): Step[] =>
  steps.map(({ script, output }) => ({ script: addressed(script), output: output.map(addressed) }));

async function installDocker(): Promise<void> {
  for (const name of processes) {
    const { env } = containerOf(name);
    const assignments = Object.entries(env).map(([key, value]) => `${key}='${value}'`);
    await writeFile(join(folder, 'bin', `${name}.env`), assignments.join(' '), { mode: 0o600 });
  }
  const docker = join(folder, 'bin/docker');
  await writeFile(
    docker,
    `#!/bin/bash
[ "$1 $2 $3" = "compose exec -T" ] || exit 64
eval "assignments=($(cat "${folder}/bin/$4.env"))"
shift 4
cd "${root}" && exec env -i "PATH=$PATH" "\${assignments[@]}" "$@"
`,
  );
  await chmod(docker, 0o755);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ostiary-compose-'));
  await symlink(join(root, 'scripts'), join(folder, 'scripts'));
  await run('mkdir', [join(folder, 'bin')]);
  await shell(secrets?.script ?? '');
  const text = await readFile(join(folder, '.env'), 'utf8');
  system = await composeSystem(root, join(folder, 'home'), envFile(text));
  await installDocker();
});

afterAll(async () => {
  await Promise.all(
    children.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    }),
  );
  await system?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('With exactly the environment of docker-compose.yml, the system migrates and becomes ready.', async () => {
  expect(start?.script).toBe('docker compose up --build --detach\n');
  const [code] = (await once(startContainer('migrate'), 'exit')) as [number | null];
  expect(code).toBe(0);
  for (const name of processes) startContainer(name);
  await eventually(
    () =>
      fetch(`${system.origin}/readyz`).then(
        (response) => response.status,
        () => 0,
      ),
    (status) => status === 200,
  );
});

test('The commands of docs/start/docker-compose.md lead to the first token and a response of the graph.', async () => {
  expect(await pasted(here(commands), shell)).toBe(4);
  for (const path of globSync(join(folder, '{.env,operator.secret,acme.json}'))) {
    const { stdout } = await run('stat', ['-c', '%a', path]);
    expect([path, stdout.trim()]).toEqual([path, '600']);
  }
});

test('The commands for the first app and the first identity source run in the container of the gateway.', async () => {
  const stepsOfPage = (page: string) => stepsOf(codeBlocksOf(`start/${page}.md`));
  const definitions = stepsOfPage('first-tenant').filter(({ script }) =>
    /docker compose|^field\(\)/m.test(script),
  );
  const steps = here([
    ...definitions,
    ...stepsOfPage('first-app').slice(0, 1),
    ...stepsOfPage('first-identity-source'),
  ]);
  expect(await pasted(steps, shell)).toBe(6);
});

test('The only port that docker-compose.yml publishes is that of the edge.', async () => {
  const text = await readFile(join(root, 'docker-compose.yml'), 'utf8');
  expect([...text.matchAll(/^ +ports: .*$/gm)].map(([line]) => line.trim())).toEqual([
    expect.stringMatching(/^ports: \["\$\{PORT:-4000\}:4000"\]$/),
  ]);
});

test('The edge responds neither to token requests of the platform nor to introspection of the schema.', async () => {
  expect((await fetch(`${system.origin}/t/platform/token`, { method: 'POST' })).status).toBe(404);
  const operator = await fetch(`${system.urls.auth}/t/platform/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`operator:${system.secrets.OPERATOR_CLIENT_SECRET}`).toString('base64')}`,
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      resource: 'urn:ostiary:service:directory',
    }),
  });
  expect(operator.status).toBe(200);
  const introspection = await fetch(`${system.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ __schema { types { name } } }' }),
  });
  expect(((await introspection.json()) as { data?: unknown }).data ?? null).toBeNull();
});

test('Each process exits with 0 when its container is stopped.', async () => {
  for (const child of children.filter((running) => running.exitCode === null)) {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    expect((await exit)[0]).toBe(0);
  }
});

test('The users of its Valkey are those that the registry of keys generates.', async () => {
  expect(await readFile(join(root, 'deploy/valkey-users.sh'), 'utf8')).toBe(usersScript());
});
