import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The schema of a service: all `*.graphql` files below a folder, each next to the resolvers of its types, in the order of their paths.
 * What several files add to (`Query`, `Mutation`, `Subscription`, `User`) is extended in each.
 */
export function readSchemaFiles(folder: URL | string): string {
  const top = typeof folder === 'string' ? folder : fileURLToPath(folder);
  return readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.graphql'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => readFileSync(path, 'utf8').trim())
    .join('\n\n')
    .concat('\n');
}
