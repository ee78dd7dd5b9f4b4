import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

// Node strips the types of the tested sources, which an older Node cannot do. With an older one, `npx jest` starts the Node that `npm test`
// uses.
if (Number(process.versions.node.split('.')[0]) < 24) {
  const args = [here('./scripts/bootstrap.mjs'), 'jest', ...process.argv.slice(2)];
  process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1);
}

/** Jest configuration of every package: Node loads modules and strips types, and the prerequisites of a test are started. */
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
