import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '@ostiary/embedded';
import { eventually } from '@ostiary/service/testing';

const root = resolve(import.meta.dirname, '../..');
const program = join(root, 'node_modules/vitepress/bin/vitepress.js');
const pages = globSync('**/*.md', { cwd: join(root, 'docs') });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ostiary-docs-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Builds the site of a folder that contains `docs/`. */
async function build(
  from: string,
  to: string,
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number; output: string }> {
  const options = { cwd: from, env: { ...process.env, NODE_OPTIONS: '', ...env } };
  const args = [program, 'build', 'docs', '--outDir', to];
  return promisify(execFile)(process.execPath, args, options).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  );
}

test('The site has every page of the documentation and an index for its search.', async () => {
  const site = join(folder, 'site');
  const address = 'https://git.example.com/ostiary/blob/main/';
  expect(await build(root, site, { DOCS_SOURCE_URL: address })).toMatchObject({ code: 0 });
  const missing = pages
    .map((page) => (page === 'README.md' ? 'index.html' : page.replace(/\.md$/, '.html')))
    .filter((page) => !existsSync(join(site, page)));
  expect(missing).toEqual([]);
  expect(globSync('assets/chunks/@localSearchIndexroot*.js', { cwd: site })).toHaveLength(1);
  // Links to sources lead to the repository.
  expect(readFileSync(join(site, 'reference/scim-conformance.html'), 'utf8')).toContain(
    `href="${address}services/`,
  );
});

test('A dead link fails the build of the site.', async () => {
  const copy = join(folder, 'copy');
  cpSync(join(root, 'docs/.vitepress/config.ts'), join(copy, 'docs/.vitepress/config.ts'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(join(copy, 'package.json'), '{ "type": "module" }');
  for (const section of ['start', 'guides', 'concepts', 'reference'])
    cpSync(join(root, 'docs', section), join(copy, 'docs', section), {
      recursive: true,
      filter: (path) => !path.endsWith('.md'),
    });
  for (const page of ['README.md', 'architecture.md', 'glossary.md'])
    writeFileSync(join(copy, 'docs', page), `# ${page}\n\n[A page that does not exist](guides/missing.md)\n`);
  const { code, output } = await build(copy, join(folder, 'dead'));
  expect(code).toBe(1);
  expect(output).toContain('./guides/missing');
});

test('The command npm run docs serves the pages until it is interrupted.', async () => {
  const port = await freePort();
  const page = (path: string): Promise<string> =>
    fetch(`http://localhost:${port}${path}`).then(
      (response) => response.text(),
      () => '',
    );
  const child = spawn('npm', ['run', 'docs', '--', '--port', `${port}`, '--strictPort'], {
    cwd: root,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const exit = once(child, 'exit');
  try {
    await eventually(
      () => page('/'),
      (text) => text.includes('<div id="app">'),
    );
    // The browser loads the content of a page as a module.
    expect(await page('/index.md')).toContain('This page lists all documentation by purpose.');
    expect(await page('/guides/webhooks.md')).toContain('This guide registers a webhook');
  } finally {
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGINT');
    await exit;
  }
  await eventually(
    () => page('/'),
    (text) => text === '',
  );
});
