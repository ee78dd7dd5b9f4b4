import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

// Node strips the types of what is tested, so an older one can't run it. With such a one, `npx jest` hands over to the Node that
// `npm test` uses.
if (Number(process.versions.node.split('.')[0]) < 24) {
  const args = [here('./scripts/bootstrap.mjs'), 'jest', ...process.argv.slice(2)];
  process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1);
}

/** What every package's Jest run has in common: modules and types by Node itself, and what a test needs is started for it. */
export default {
  runtime: here('./scripts/jest/runtime.mjs'),
  testEnvironment: here('./scripts/jest/environment.mjs'),
  globalSetup: here('./scripts/jest/setup.mjs'),
  globalTeardown: here('./scripts/jest/teardown.mjs'),
  testMatch: ['<rootDir>/**/*.test.ts'],
  setupFilesAfterEnv: [here('./jest.setup.mjs')],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  transform: {},
};
