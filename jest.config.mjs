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

/** Runs alone, because it measures durations, and has a system of its own. */
const underFire = 'chaos/chaos\\.test\\.ts$';

const withoutFire = (config) => ({
  ...config,
  testPathIgnorePatterns: [...config.testPathIgnorePatterns, underFire],
});

const projectsOf = async (folder) => {
  const { default: preset } = await import(join(root, folder, 'jest.config.mjs'));
  const config = { ...preset, rootDir: join(root, folder), displayName: basename(folder) };
  if (folder !== 'e2e') return [config];
  return [
    withoutFire(config),
    {
      ...config,
      displayName: 'chaos',
      testMatch: undefined,
      testRegex: underFire,
      testEnvironmentOptions: { startsNothing: true },
    },
  ];
};

export default async () => ({
  projects: (await Promise.all(packages.map(projectsOf))).flat(),
  testSequencer: join(root, 'scripts', 'jest', 'sequencer.mjs'),
});
