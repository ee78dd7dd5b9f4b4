/** All packages' tests in one run: `npx jest`, or `npx jest --selectProjects scim` for one of them. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = import.meta.dirname;
const packages = [
  ...['libs', 'services'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(folder, name)),
  ),
  'gateway',
  'e2e',
].filter((folder) => existsSync(join(root, folder, 'jest.config.mjs')));

export default async () => ({
  globalSetup: join(root, 'scripts', 'jest-servers.mjs'),
  globalTeardown: join(root, 'scripts', 'jest-servers-teardown.mjs'),
  projects: await Promise.all(
    packages.map(async (folder) => ({
      ...(await import(join(root, folder, 'jest.config.mjs'))).default,
      rootDir: join(root, folder),
      displayName: basename(folder),
      ...(folder === 'e2e'
        ? {
            globalSetup: join(root, 'scripts', 'jest-system.mjs'),
            globalTeardown: join(root, 'scripts', 'jest-system-teardown.mjs'),
          }
        : {}),
    })),
  ),
});
