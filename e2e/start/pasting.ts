import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import type { Demo } from '../support/demo.ts';
import type { Step } from './code-blocks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Creates a folder with links to the checkout, and the operator's secret of the running system in its file. */
export async function installationFolder(links: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ostiary-pages-'));
  for (const name of links) await symlink(join(root, name), join(folder, name));
  const home = dirname(process.env.OSTIARY_E2E ?? '');
  const { OPERATOR_CLIENT_SECRET } = JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8'));
  await mkdir(join(folder, 'ostiary'));
  await writeFile(join(folder, 'ostiary/secrets.env'), `OPERATOR_CLIENT_SECRET=${OPERATOR_CLIENT_SECRET}\n`, {
    mode: 0o600,
  });
  return folder;
}

/** Adapts the code of a page to the running system, and to a tenant that stands for `acme`. */
export const adapted = (text: string, demo: Demo, tenant: string): string =>
  text
    .replaceAll('http://127.0.0.1:4200', demo.operator)
    .replaceAll('http://localhost:4000', demo.origin)
    .replaceAll('ws://localhost:4000', demo.origin.replace('http', 'ws'))
    .replaceAll('https://id.example.com', demo.origin)
    // A logo is downloaded when it is set, and external hosts are unreachable here.
    .replace(/, logoUrl: "[^"]*"/, '')
    .replaceAll(/\bacme\b(?!\.example)/g, tenant);

export async function shell(cwd: string, script: string, env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd,
    timeout: 60_000,
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, ...env },
  });
  return stdout;
}

/** Runs commands of a page and expects the output that it shows. @returns the number of lines of output */
export async function pasted(
  steps: readonly Step[],
  execute: (script: string) => Promise<string>,
): Promise<number> {
  const marker = '--- step ---';
  const printed = await execute(steps.map(({ script }) => `${script}\necho '${marker}'\n`).join(''));
  const outputs = printed.split(`${marker}\n`);
  for (const [index, { output }] of steps.entries()) {
    let rest = outputs[index] ?? '';
    for (const line of output) {
      expect(rest).toContain(line);
      rest = rest.slice(rest.indexOf(line) + line.length);
    }
  }
  return steps.flatMap(({ output }) => output).length;
}

/** Returns the functions of one line that code defines, for the shells of further pages. */
export const functionsIn = (code: string): string =>
  [...code.matchAll(/^\w+\(\) \{ .* \}$/gm)].map(([line]) => `${line}\n`).join('');
