#!/usr/bin/env node
/**
 * Copies files that the compiler does not emit (GraphQL schemas, HTML, CSS, JSON, …) from src/ to dist/ of the package
 * in the current directory, except TypeScript sources and test fixtures.
 *
 * Deletes schemas in dist/ that are no longer in src/, because a service reads all schemas in the folder.
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

for (const file of await readdir('dist', { recursive: true })) {
  if (file.endsWith('.graphql') && !existsSync(join('src', file))) await rm(join('dist', file));
}
const files = await readdir('src', { recursive: true, withFileTypes: true });
for (const file of files) {
  const source = join(file.parentPath, file.name);
  const inside = relative('src', source);
  if (!file.isFile() || /\.[cm]?tsx?$/.test(file.name) || /(^|[\\/])(testing|generated)[\\/]/.test(inside))
    continue;
  const target = join('dist', inside);
  await mkdir(dirname(target), { recursive: true });
  await copyFile(source, target);
}
