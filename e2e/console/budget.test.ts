import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const folder = fileURLToPath(new URL('../../gateway/dist/console/files/', import.meta.url));
const read = (name: string): string => readFileSync(folder + name, 'utf8');

/** Returns the static and dynamic imports of a script. */
const importsOf = (script: string): string[] =>
  [...script.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)].map(([, name = '']) => name);

/** Returns a script with its static imports, transitively. */
function closure(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const imported of importsOf(read(`assets/${name}`))) closure(imported, found);
  return found;
}

test('The scripts of the overview page have at most 200 kB as transferred.', () => {
  const [, entry = ''] = /assets\/([^"]+\.js)/.exec(read('index.html')) ?? [];
  const first = closure(entry);
  const known = [...first].map((name) => read(`assets/${name}`)).join('\n');
  for (const page of ['tenant-layout', 'overview-page']) {
    const [name] = new RegExp(`${page}-[\\w-]+\\.js`).exec(known) ?? [];
    if (name === undefined) throw new Error(`There is no ${page}.`);
    closure(name, first);
  }
  // Files that compression does not shorten have no .br variant.
  const sent = (name: string) => (existsSync(`${folder}assets/${name}.br`) ? `${name}.br` : name);
  const sizes = [...first].map((name) => statSync(`${folder}assets/${sent(name)}`).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(200_000);
});
