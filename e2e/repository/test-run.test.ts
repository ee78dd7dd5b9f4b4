import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { affectedTests } from '../../scripts/affected.ts';

const root = resolve(import.meta.dirname, '../..');
const { needsOf } = (await import(pathToFileURL(join(root, 'scripts/jest/needs.mjs')).href)) as {
  needsOf(file: string): Set<string>;
};
const files = globSync(
  ['{libs,services}/*/{src,test}/**/*.test.ts', 'gateway/{src,test}/**/*.test.ts', 'e2e/**/*.test.ts'],
  {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  },
);
const needs = (file: string) => [...needsOf(join(root, file))].sort();

describe('what a test file needs to be running', () => {
  test('is nothing for a test that stands beside its source, in the repository, or in a pure library', () => {
    const pure = files.filter((file) => /\/src\/|^e2e\/repository\/(?!test-run)|^libs\/graph\//.test(file));
    expect(pure.length).toBeGreaterThan(20);
    for (const file of pure) expect([file, needs(file)]).toEqual([file, []]);
  });

  test('is the servers for a file that makes a database, also when its test code does', () => {
    const own = files.filter((file) => /createTestDatabase\(/.test(readFileSync(join(root, file), 'utf8')));
    expect(own.length).toBeGreaterThan(5);
    for (const file of own) expect([file, needs(file)]).toEqual([file, expect.arrayContaining(['servers'])]);
    const running = files.filter((file) => /^services\/auth\/test\/oauth\//.test(file));
    expect(running.filter((file) => needs(file).includes('servers')).length).toBeGreaterThan(20);
  });

  test('is the shared system for end-to-end tests that ask for the running demo, and not for those that only use its types', () => {
    expect(needs('e2e/graph/graph.test.ts')).toEqual(['system']);
  });

  test('is a prepared home for those that start a system of their own', () => {
    expect(needs('e2e/invariants/audit.test.ts')).toEqual(['home']);
  });
});

describe('the tests that a change affects', () => {
  const own = files.filter((file) => file.startsWith('e2e/repository/')).length;

  test('are those of its module, and those that import the file, of a service', () => {
    const affected = affectedTests(root, ['services/provisioning/src/bulk/index.ts']);
    expect(affected).toEqual(
      expect.arrayContaining(files.filter((file) => file.startsWith('services/provisioning/test/bulk/'))),
    );
    expect(affected.length).toBeLessThan(own + 20);
  });

  test('are all of a package when its composition root, or a migration, has changed', () => {
    const all = files.filter((file) => file.startsWith('services/auth/'));
    for (const file of ['services/auth/src/app.ts', 'services/auth/prisma/migrations/1_new/migration.sql'])
      expect(affectedTests(root, [file])).toEqual(expect.arrayContaining(all));
  });

  test('are those of the repository when only a document has changed, and all when it cannot be said which', () => {
    expect(affectedTests(root, ['docs/README.md'])).toHaveLength(own);
    expect(affectedTests(root, ['package-lock.json'])).toBe('everything');
    expect(affectedTests(root, ['scripts/jest/runtime.mjs'])).toBe('everything');
  });

  test('are those that use test code, through other test code too', () => {
    const affected = affectedTests(root, ['e2e/support/demo.ts']);
    expect(affected).toEqual(expect.arrayContaining(['e2e/graph/graph.test.ts', 'e2e/scim/scim.test.ts']));
  });
});
