import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Registered, registeredStatements } from './registry.ts';

const declares = /\b(?:statement|composedStatement)\(/;
const isSource = (name: string): boolean => name.endsWith('.ts') && !/\.(?:test|d)\.ts$/.test(name);

/** Files with generated code, which nobody writes statements in. */
const isGenerated = (path: string): boolean => /(?:^|\/)(?:generated|node_modules|dist)\//.test(path);

async function sourcesIn(folder: string): Promise<{ path: string; text: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && isSource(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !isGenerated(`${relative(folder, path)}`))
    .sort();
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, 'utf8') })));
}

/**
 * Loads every file of a source folder that declares statements, those that are added later included.
 * @returns all statements there are then: the folder's, and those of the packages that it loads
 */
export async function statementsIn(folder: string): Promise<readonly Registered[]> {
  for (const { path, text } of await sourcesIn(folder)) {
    if (declares.test(text)) await import(pathToFileURL(path).href);
  }
  return registeredStatements();
}

/**
 * Where a source folder sends SQL that no statement declares: calls of `query` with a text, as `path:line` from the folder. Their
 * number is what a service still has to convert.
 */
export async function undeclaredSql(folder: string): Promise<string[]> {
  const places = (await sourcesIn(folder)).map(({ path, text }) =>
    [...text.matchAll(/\.query(?:<[^;()]*>)?\(/g)].map(
      ({ index }) => `${relative(folder, path)}:${text.slice(0, index).split('\n').length}`,
    ),
  );
  return places.flat();
}
