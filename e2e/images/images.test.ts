import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '@ostiary/embedded';
import { eventually, recordSkip } from '@ostiary/service/testing';
import { assemble, builtHere, type Image } from './assemble.ts';
import { baseProblem, unpackBase } from './base-image.ts';
import { type ComposeSystem, composeSystem } from './compose-system.ts';
import { type Confined, confinementProblem, runConfined } from './confined.ts';
import { parseDockerfile } from './dockerfile.ts';
import { bytesOf, type File, filesOf } from './files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const stages = parseDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'));
const services = ['auth', 'directory', 'provisioning', 'gateway'];
/** Runnable targets of `docker build --target`. */
const targets = stages.filter(({ from }) => from === 'runtime').map(({ name }) => name);
const limit = 220_000_000;

const problem = baseProblem();
const cannotConfine = problem ?? confinementProblem();
if (problem !== undefined) recordSkip(problem);
else if (cannotConfine !== undefined) recordSkip(cannotConfine);
const describeImages = problem === undefined ? describe : describe.skip;
const describeRunning = cannotConfine === undefined ? describe : describe.skip;

let folder: string;
const images: Record<string, Image> = {};
const files: Record<string, File[]> = {};
const imageOf = (name: string): Image => images[name] as Image;

beforeAll(() => {
  if (problem !== undefined) return;
  folder = mkdtempSync(join(tmpdir(), 'ostiary-images-'));
  // Files that the stage `build` creates beyond the build of the repository.
  for (const step of bundlingSteps()) execFileSync(process.execPath, step, { cwd: root, stdio: 'pipe' });
  const base = join(folder, 'base');
  mkdirSync(join(root, '.ostiary'), { recursive: true });
  unpackBase(base, join(root, '.ostiary/debian-12'));
  const sources = { stages, base, pathIn: builtHere(root) };
  for (const name of targets) {
    images[name] = assemble(name, join(folder, name), sources);
    files[name] = filesOf(join(folder, name));
  }
});

afterAll(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** Commands `node …` of the stage `build`, without `node`. */
const bundlingSteps = (): string[][] =>
  (stages.find(({ name }) => name === 'build')?.instructions ?? [])
    .filter(({ keyword, words }) => keyword === 'RUN' && words[0] === 'node')
    .map(({ words }) => words.slice(1));

test('The build stage creates every file that the images copy from the built repository.', () => {
  const steps = stages
    .filter(({ from }) => from !== 'runtime')
    .flatMap(({ instructions }) => instructions.filter(({ keyword }) => keyword === 'RUN'))
    .map(({ text }) => text);
  const [install, build, ...rest] = steps;
  expect(install).toBe('npm ci');
  expect(build).toMatch(/^npx turbo run build( --filter=[\w./*]+)+$/);
  expect(rest).toEqual(bundlingSteps().map((words) => `node ${words.join(' ')}`));
});

test('Each process, the migration and the audit have an image.', () => {
  expect(targets).toEqual(expect.arrayContaining([...services, 'guard', 'migrate', 'audit']));
});

describeImages('An image', () => {
  test.each(targets)('The image %s is at most 220 MB.', (name) => {
    const bytes = bytesOf(files[name] ?? []);
    expect(bytes).toBeGreaterThan(100_000_000);
    expect(bytes).toBeLessThanOrEqual(limit);
  });

  test.each(targets)('The image %s has no shell, package manager, compiler or package.', (name) => {
    const unwanted =
      /(^|\/)(node_modules|npm|npx|corepack|yarn|apt|apt-get|dpkg|apk|sh|bash|dash|busybox|tsc|gcc|cc|ld|make|perl|python3?|prisma|typescript|turbo|esbuild|studio)$/;
    const found = (files[name] ?? []).filter(({ path, kind }) => kind !== 'folder' && unwanted.test(path));
    expect(found).toEqual([]);
    expect((files[name] ?? []).filter(({ path }) => /(^|\/)node_modules$/.test(path))).toEqual([]);
    const programs = (files[name] ?? []).filter(
      ({ path, kind, mode }) => kind === 'file' && (mode & 0o111) !== 0 && !/\.so(\.\d+)*$/.test(path),
    );
    // The only executables besides Node are the dynamic loader and Argon2, a shared library. Debian's scripts have no
    // interpreter here.
    expect(
      programs
        .map(({ path }) => path)
        .filter((path) => !/ld-linux|\.node$|\/gconv\/|^etc\/|^usr\/share\//.test(path)),
    ).toEqual(['usr/local/bin/node']);
  });

  test.each(targets)(
    'The image %s has of this project only programs, the files they read, and licenses.',
    (name) => {
      const own = (files[name] ?? []).filter(({ path, kind }) => path.startsWith('app/') && kind === 'file');
      const expected =
        /^app\/((services\/\w+\/|gateway\/|cli\/)?(package\.json|dist\/[\w-]+\.(js|cjs|cache|mappings|sources\.json|notices\.txt|sbom\.json)|dist\/\w+(\.postgresql)?\.wasm|dist\/argon2\.node|dist\/console\/(files\/(assets\/)?[\w.-]+|(files|documents|sbom)\.json|notices\.txt)|supergraph\.graphql)|services\/\w+\/prisma\/migrations\/(\w+\/migration\.sql|migration_lock\.toml)|scripts\/migrate\.mjs)$/;
      expect(own.map(({ path }) => path).filter((path) => !expected.test(path))).toEqual([]);
      expect(own.some(({ path }) => path.endsWith('.notices.txt'))).toBe(true);
      expect(own.some(({ path }) => path.endsWith('.sbom.json'))).toBe(true);
    },
  );

  test.each(targets)(
    'The image %s has no setuid files, and its user owns no file and can write to none.',
    (name) => {
      const image = imageOf(name);
      expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
      const [uid, gid] = image.user.split(':').map(Number);
      const all = (files[name] ?? []).filter(({ kind }) => kind !== 'link');
      expect(all.filter(({ mode, kind }) => kind === 'file' && (mode & 0o6000) !== 0)).toEqual([]);
      const writable = all.filter(
        (file) =>
          file.uid === uid ||
          (file.gid === gid && (file.mode & 0o020) !== 0) ||
          ((file.mode & 0o002) !== 0 && (file.mode & 0o1000) === 0),
      );
      expect(writable).toEqual([]);
    },
  );
});

describeRunning('Images that run', () => {
  let system: ComposeSystem;
  const running: Record<string, Confined> = {};
  let adminToken: string;

  beforeAll(async () => {
    system = await composeSystem(root, join(folder, 'home'));
  });

  afterAll(async () => {
    for (const { child } of Object.values(running)) child.kill('SIGKILL');
    await system?.stop();
  });

  const ended = async (name: string, env: Record<string, string>, command?: string[], stdin = '') => {
    const confined = runConfined(imageOf(name), {
      env,
      stdin,
      ...(command === undefined ? {} : { command }),
    });
    const code = await confined.exited;
    return { code, output: confined.output(), result: confined.result() };
  };

  test.each(targets)('The image %s has every library that Node and Argon2 are linked with.', async (name) => {
    const linked = (files[name] ?? []).filter(({ path }) => /(bin\/node|\.node)$/.test(path));
    expect(linked.length).toBeGreaterThan(0);
    for (const { path } of linked) {
      const { code, output } = await ended(name, {}, ['/lib64/ld-linux-x86-64.so.2', '--list', `/${path}`]);
      expect([code, output.includes('not found')]).toEqual([0, false]);
      expect(output).toContain('libc.so.6 => /lib/');
    }
  });

  test('A process can write only to /tmp in its image.', async () => {
    const probe = `const { accessSync, constants, readdirSync, writeFileSync } = require('node:fs');
      const works = (attempt) => { try { return attempt(); } catch { return undefined; } };
      const writable = [];
      const walk = (path) => {
        if (works(() => accessSync(path, constants.W_OK) ?? true)) writable.push(path);
        for (const entry of works(() => readdirSync(path, { withFileTypes: true })) ?? [])
          if (!entry.isSymbolicLink() && !/^\\/(proc|dev|tmp)$/.test(path + entry.name)) walk(path + entry.name + (entry.isDirectory() ? '/' : ''));
      };
      walk('/');
      writeFileSync('/tmp/possible', '');
      console.log(JSON.stringify({ writable, uid: process.getuid(), groups: process.getgroups() }));`;
    const { output } = await ended('auth', {}, ['node', '-e', probe]);
    expect(JSON.parse(output)).toEqual({ writable: [], uid: 65532, groups: [65532] });
  });

  test('The migration image migrates an empty database, and a second run succeeds.', async () => {
    for (let time = 0; time < 2; time++) {
      const { code, output } = await ended('migrate', system.env('migrate'));
      expect([code, code === 0 ? '' : output]).toEqual([0, '']);
    }
  });

  test('The four processes become ready in their images, and the health check of docker-compose.yml succeeds.', async () => {
    for (const name of services) running[name] = runConfined(imageOf(name), { env: system.env(name) });
    for (const name of services) {
      const status = await eventually(
        async () => (await fetch(`${system.urls[name]}/readyz`).catch(() => undefined))?.status,
        (answer) => answer === 200 || running[name]?.child.exitCode !== null,
      );
      expect([name, status, status === 200 ? '' : running[name]?.output()]).toEqual([name, 200, '']);
    }
    const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
    const [, check = ''] = /"-e",\s*"(fetch.*)",\n/.exec(text) ?? [];
    const healthy = ['node', '-e', check];
    expect((await ended('auth', system.env('auth'), healthy)).code).toBe(0);
    expect((await ended('auth', { ...system.env('auth'), PORT: '1' }, healthy)).code).toBe(1);
  });

  test('The CLI in the gateway image creates the first tenant, whose client gets a token and queries the graph.', async () => {
    const { code, output, result } = await ended(
      'gateway',
      { OSTIARY_OPERATOR_URL: system.operatorUrl },
      // As in docs/start/kubernetes.md for `kubectl exec`.
      ['node', 'cli/dist/main.js', '--secret-stdin', 'tenant', 'create', 'acme', '--admin', 'ada', '--json'],
      `${system.secrets.OPERATOR_CLIENT_SECRET}\n`,
    );
    expect([code, code === 0 ? '' : output]).toEqual([0, '']);
    const { client } = JSON.parse(result) as { client: { id: string; secret: string } };
    adminToken = await tokenOf(`${system.origin}/t/acme/token`, [client.id, client.secret]);
    const answer = await post(`${system.origin}/graphql`, adminToken, {
      query: '{ users(first: 1) { totalCount } }',
    });
    expect([answer.status, await answer.json()]).toEqual([200, { data: { users: { totalCount: 1 } } }]);
  });

  test('The guard becomes ready in its image with a rules file, rejects a request without a token, and ends with 0.', async () => {
    const audience = 'https://orders.example';
    const answer = await post(`${system.origin}/graphql`, adminToken, {
      query: `mutation ($input: RegisterClientInput!) {
        registerClient(input: $input) { client { id } clientSecret problems { message } } }`,
      variables: { input: { name: 'Orders', kind: 'MACHINE', protectedResources: [audience] } },
    });
    const { registerClient } = ((await answer.json()) as { data: { registerClient: Registered } }).data;
    expect(registerClient).toMatchObject({ problems: [] });
    const rules = { hosts: [{ host: 'orders.example', audience, rules: [{ path: '/**' }] }] };
    const path = join(folder, 'guard.json');
    writeFileSync(path, JSON.stringify(rules));
    const [http, metrics] = [await freePort(), await freePort()];
    const guard = runConfined(imageOf('guard'), {
      env: {
        ...{ HOST: '127.0.0.1', PORT: `${http}`, METRICS_HOST: '127.0.0.1', METRICS_PORT: `${metrics}` },
        ...{ PROXY: 'haproxy', ISSUER: `${system.origin}/t/acme`, RULES_PATH: '/tmp/guard.json' },
        ...{ CLIENT_ID: registerClient.client.id, CLIENT_SECRET: registerClient.clientSecret },
        GUARD_KEY: randomBytes(32).toString('base64url'),
      },
      file: path,
    });
    running.guard = guard;
    const status = await eventually(
      async () => (await fetch(`http://127.0.0.1:${http}/readyz`).catch(() => undefined))?.status,
      (answer) => answer === 200 || guard.child.exitCode !== null,
    );
    expect([status, status === 200 ? '' : guard.output()]).toEqual([200, '']);
    const asked = await fetch(`http://127.0.0.1:${http}/verify`, {
      headers: { 'x-forwarded-method': 'GET', 'x-forwarded-host': 'orders.example', 'x-forwarded-uri': '/' },
    });
    expect(asked.status).toBe(401);
    guard.child.kill('SIGTERM');
    expect(await guard.exited).toBe(0);
  });

  test('The audit runs in its image and reports that all invariants hold.', async () => {
    const { code, output } = await ended('audit', { DATABASE_URL: system.databaseUrl }, [
      ...imageOf('audit').command,
      ...['--json', '--settle-seconds', '0'],
    ]);
    expect([code, JSON.parse(output)]).toEqual([0, expect.objectContaining({ ok: true })]);
  });

  test('The CLI in the audit image runs the audit.', async () => {
    const { code, result } = await ended('audit', { DATABASE_URL: system.databaseUrl }, [
      ...['node', 'cli/dist/main.js', 'audit', 'invariants', '--json'],
    ]);
    expect([code, JSON.parse(result)]).toEqual([0, expect.objectContaining({ ok: true })]);
  });

  test('The audit image repeats offboardings after a restore, and exports them.', async () => {
    const reapply = (...flags: string[]) =>
      ended('audit', { DATABASE_URL: system.databaseUrl }, ['node', 'dist/reapply-departures.js', ...flags]);
    const { code, output, result } = await reapply('--json');
    expect([code, code === 0 ? '' : output]).toEqual([0, '']);
    const { looked, ...changes } = JSON.parse(result) as Record<string, number>;
    // The first administrator of the tenant `acme`.
    expect(looked).toBe(1);
    expect(Object.values(changes)).toEqual([0, 0, 0, 0, 0]);
    expect(await reapply('--export')).toEqual({ code: 0, output: '', result: '' });
  });

  test('Each process exits with 0 when its container is stopped.', async () => {
    for (const name of services) running[name]?.child.kill('SIGTERM');
    const codes = await Promise.all(services.map(async (name) => [name, await running[name]?.exited]));
    expect(codes).toEqual(services.map((name) => [name, 0]));
  });
});

interface Registered {
  client: { id: string };
  clientSecret: string;
}

async function tokenOf(url: string, credentials: [string, string], more: Record<string, string> = {}) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(credentials.join(':'))}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...more }),
  });
  const { access_token: token } = (await answer.json()) as { access_token?: string };
  expect([answer.status, token]).toEqual([200, expect.stringMatching(/^ey/)]);
  return token ?? '';
}

const post = (url: string, token: string, body: unknown): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
