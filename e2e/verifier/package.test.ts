import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { runningDemo } from '../support/demo.ts';
import { ProtectedApi } from './registered.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const demo = runningDemo();
const run = promisify(execFile);
let project: string;
let orders: ProtectedApi;

/** The tarballs of the package and of its dependency are installed offline. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'ostiary-verifier-'));
  await writeFile(join(project, 'package.json'), '{ "name": "empty", "private": true }');
  const packed = async (folder: string): Promise<string> => {
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', project, join(root, folder)];
    const { stdout } = await run('npm', args);
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    return join(project, filename);
  };
  const tarballs = [await packed('libs/verifier'), await packed('node_modules/jose')];
  await run('npm', ['install', '--offline', '--ignore-scripts', ...tarballs], { cwd: project });
  orders = await new ProtectedApi(demo, demo.tenants.demo).register();
});

afterAll(() => rm(project, { recursive: true, force: true }));

/** The three lines that protect an API, with the import of a module system. */
const programOf = (imports: string): string => `
${imports}
const verify = ostiary(JSON.parse(process.env.OPTIONS));
createServer((request, response) => {
  verify(request).then(
    ({ subject }) => response.end(subject),
    ({ status, headers }) => response.writeHead(status, headers).end(),
  );
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

const programs = {
  'orders.mjs': programOf(
    "import { createServer } from 'node:http';\nimport { ostiary } from '@ostiary/verifier';",
  ),
  'orders.cjs': programOf(
    "const { createServer } = require('node:http');\nconst { ostiary } = require('@ostiary/verifier');",
  ),
};

test.each(Object.entries(programs))(
  'The packed package protects an API in an empty project (%s).',
  async (name, text) => {
    await writeFile(join(project, name), text);
    const child = spawn(process.execPath, [name], {
      cwd: project,
      env: { PATH: process.env.PATH, OPTIONS: JSON.stringify(orders.options) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let output = '';
      child.stdout.on('data', (chunk) => {
        output += chunk;
      });
      await eventually(() => output.endsWith('\n'));
      const statusFor = async (authorization?: string) => {
        const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
        return (await fetch(`http://127.0.0.1:${output.trim()}`, { headers })).status;
      };
      const user = await orders.hire();
      expect([await statusFor(), await statusFor(`Bearer ${user.token}`)]).toEqual([401, 200]);
      await orders.offboard(user.id);
      await eventually(async () => (await statusFor(`Bearer ${user.token}`)) === 401);
    } finally {
      child.kill();
    }
  },
);

const entries = ['', '/express', '/fastify', '/hono', '/apollo', '/mcp', '/core', '/testing'];

test.each([
  ['an ES module', 'every-entry.mjs', (entry: string) => `await import('@ostiary/verifier${entry}')`],
  ['CommonJS', 'every-entry.cjs', (entry: string) => `require('@ostiary/verifier${entry}')`],
])('Each entry of the packed package is loaded from %s.', async (_kind, name, load) => {
  for (const peer of ['@apollo', '@modelcontextprotocol', 'express', 'fastify', 'graphql', 'hono'])
    await symlink(join(root, 'node_modules', peer), join(project, 'node_modules', peer)).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      },
    );
  const loads = entries.map((entry) => `'${entry}': Object.keys(${load(entry)})`);
  await writeFile(join(project, name), `console.log(JSON.stringify({ ${loads.join(', ')} }));`);
  const { stdout } = await run(process.execPath, [name], { cwd: project });
  const names = JSON.parse(stdout) as Record<string, string[]>;
  for (const entry of ['/express', '/fastify', '/hono', '/mcp'])
    expect(names[entry]).toEqual(expect.arrayContaining(['requireToken', 'protectedResource']));
  expect(names['']).toEqual(expect.arrayContaining(['ostiary', 'VerificationError']));
  for (const entry of ['/apollo', '/core', '/testing']) expect(names[entry]).not.toEqual([]);
});

test('The types of the package are valid in ES modules and in CommonJS.', async () => {
  const text = `import { ostiary, type Principal, VerificationError } from '@ostiary/verifier';
import { requireToken } from '@ostiary/verifier/express';
const verify = ostiary({ issuer: 'https://id.example.com/t/acme', audience: 'urn:orders', clientId: 'a', clientSecret: 'b' });
export const handler = requireToken(verify, { scopes: ['orders:read'] });
export const subjectOf = async (header: string): Promise<string> => {
  const principal: Principal = await verify(header);
  return principal.kind === 'user' ? \`\${principal.subject} \${principal.acr}\` : principal.clientId;
};
export const statusOf = (error: VerificationError): 400 | 401 | 403 | 503 => error.status;
// @ts-expect-error A client secret is required.
ostiary({ issuer: 'https://id.example.com/t/acme', audience: 'urn:orders', clientId: 'a' });
// @ts-expect-error Rules have no unknown members.
requireToken(verify, { scope: 'orders:read' });
// @ts-expect-error Only users have a class of the sign-in.
export const classOf = (principal: Principal): unknown => principal.acr;
// @ts-expect-error Scopes are not changeable.
export const widen = (principal: Principal): unknown => principal.scopes.add('orders:write');
`;
  await writeFile(join(project, 'orders.mts'), text);
  await writeFile(join(project, 'orders.cts'), text);
  await mkdir(join(project, 'node_modules/@types'), { recursive: true });
  for (const name of ['@types/node', 'undici-types'])
    await symlink(join(root, 'node_modules', name), join(project, 'node_modules', name));
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2022',
    types: ['node'],
  };
  await writeFile(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['orders.mts', 'orders.cts'] }),
  );
  const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', project]).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});
