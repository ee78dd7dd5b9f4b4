import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { affectedTests, readTree } from '../../scripts/affected.ts';

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
const tree = readTree(root);
const needs = (file: string) => [...needsOf(join(root, file))].sort();

describe('requirements of a test file', () => {
  test('A test beside its source, in the repository suite or in a pure library needs nothing.', () => {
    const pure = files.filter((file) => /\/src\/|^e2e\/repository\/(?!test-run)|^libs\/graph\//.test(file));
    expect(pure.length).toBeGreaterThan(20);
    for (const file of pure) expect([file, needs(file)]).toEqual([file, []]);
  });

  test('A file that creates a database, even through its test code, needs the servers.', () => {
    const own = files.filter((file) => /createTestDatabase\(/.test(readFileSync(join(root, file), 'utf8')));
    expect(own.length).toBeGreaterThan(5);
    for (const file of own) expect([file, needs(file)]).toEqual([file, expect.arrayContaining(['servers'])]);
    const running = files.filter((file) => /^services\/auth\/test\/oauth\//.test(file));
    expect(running.filter((file) => needs(file).includes('servers')).length).toBeGreaterThan(20);
  });

  test('An end-to-end test that uses the running demo needs the shared system; one that only uses its types does not.', () => {
    expect(needs('e2e/graph/graph.test.ts')).toEqual(['system']);
  });

  test('A test that starts a system of its own needs a prepared home.', () => {
    expect(needs('e2e/invariants/audit.test.ts')).toEqual(['home']);
  });
});

test('A test file that skips tests records the reason for the report.', () => {
  // Without a run, the package has no database and no dependency on the recording.
  const exempt = ['libs/scim/test/matching/filter-agreement.test.ts'];
  const skipping = files.filter(
    (file) =>
      !exempt.includes(file) &&
      /[?:] (test|describe)\.skip\b/.test(
        readFileSync(join(root, file), 'utf8').replace(/^ *['"`].*$/gm, ''),
      ),
  );
  expect(skipping.length).toBeGreaterThan(20);
  const silent = skipping.filter(
    (file) => !/\brecordSkip\(|\/chromium\.ts'/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(silent).toEqual([]);
});

test('Types that a build does not check are checked beside the tests, in every package that is built.', () => {
  const text = (path: string) => readFileSync(join(root, path), 'utf8');
  const built = globSync('{cli,gateway,libs/*,services/*}/tsconfig.build.json', { cwd: root });
  expect(built.length).toBeGreaterThan(10);
  for (const path of built) {
    const folder = dirname(path);
    const { compilerOptions, extends: base } = JSON.parse(text(path));
    expect([path, compilerOptions.noCheck, base]).toEqual([path, true, './tsconfig.json']);
    const checked = JSON.parse(text(join(folder, 'tsconfig.json')));
    expect([folder, checked.compilerOptions.noCheck, checked.include]).toEqual([
      folder,
      undefined,
      ['src', 'test', '*.ts'],
    ]);
    const { scripts } = JSON.parse(text(join(folder, 'package.json')));
    expect([folder, scripts.typecheck]).toEqual([folder, 'tsc -p tsconfig.json --noEmit']);
  }
  expect(JSON.parse(text('tsconfig.base.json')).compilerOptions.noCheck).toBeUndefined();
  expect(text('scripts/test/checks.ts')).toContain("'turbo', 'run', 'typecheck'");
});

describe('the tests that a change affects', () => {
  const own = files.filter((file) => file.startsWith('e2e/repository/')).length;

  test('A change in a service affects the tests of its module and those that import the file.', () => {
    const affected = affectedTests(tree, ['services/provisioning/src/bulk/index.ts']);
    expect(affected).toEqual(
      expect.arrayContaining(files.filter((file) => file.startsWith('services/provisioning/test/bulk/'))),
    );
    expect(affected.length).toBeLessThan(own + 31);
  });

  test('A change of a composition root or of a migration affects all tests of the package.', () => {
    const all = files.filter((file) => file.startsWith('services/auth/'));
    for (const file of ['services/auth/src/app.ts', 'services/auth/prisma/migrations/1_new/migration.sql'])
      expect(affectedTests(tree, [file])).toEqual(expect.arrayContaining(all));
  });

  test('A change of a document alone affects the repository tests, and an unattributable change affects all.', () => {
    expect(affectedTests(tree, ['docs/README.md'])).toHaveLength(own);
    expect(affectedTests(tree, ['package-lock.json'])).toBe('everything');
    expect(affectedTests(tree, ['scripts/jest/runtime.mjs'])).toBe('everything');
  });

  test('A change of test code affects the tests that use it, even through other test code.', () => {
    const affected = affectedTests(tree, ['e2e/support/demo.ts']);
    expect(affected).toEqual(expect.arrayContaining(['e2e/graph/graph.test.ts', 'e2e/scim/scim.test.ts']));
  });
});

describe('a change inside one module', () => {
  const own = files.filter((file) => file.startsWith('e2e/repository/')).length;

  test('A change inside a module affects few tests and at least one, for any file of any module.', () => {
    const sources = globSync('{services/*,gateway}/src/*/**/*.ts', {
      cwd: root,
      exclude: (name) => name === 'node_modules' || name === 'generated',
    }).filter((file) => !/\/src\/(composition\/|[^/]+\/module\.ts$)|\.test\.ts$/.test(file));
    expect(sources.length).toBeGreaterThan(800);
    const counts = sources.map((file) => [file, affectedTests(tree, [file]).length - own] as const);
    expect(counts.filter(([, count]) => count < 1 || count > 60)).toEqual([]);
  });

  /** Two modules with tests on top of one entry point, and one without tests between it and a third. */
  const sources = {
    'low/index.ts': "export { x } from './domain/x.ts';\nexport type { Port } from './domain/port.ts';\n",
    'low/domain/x.ts': 'export const x = 1;\n',
    'low/domain/port.ts': 'export interface Port { ask(): void }\n',
    'low/data/port.ts':
      "import type { Port } from '../domain/port.ts';\nexport const port: Port = { ask() {} };\n",
    'x-user/domain/use.ts': "import { x } from '../../low/index.ts';\nexport const y = x;\n",
    'port-user/http/use.ts':
      "import type { Port } from '../../low/index.ts';\nexport const ask = (port: Port) => port.ask();\n",
    'between/index.ts': "export { z } from './domain/z.ts';\n",
    'between/domain/z.ts': "import { x } from '../../low/index.ts';\nexport const z = x;\n",
    'far/domain/use.ts': "import { z } from '../../between/index.ts';\nexport const w = z;\n",
    'alone/domain/alone.ts': 'export const alone = 1;\n',
  };
  const select = (file: string): readonly string[] | string => {
    const folder = mkdtempSync(join(tmpdir(), 'ostiary-affected-'));
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    try {
      for (const [path, text] of Object.entries(sources)) write(`services/s/src/${path}`, text);
      for (const name of ['x-user', 'port-user', 'far', 'other'])
        write(`services/s/test/${name}/a.test.ts`, '');
      return affectedTests(readTree(folder), [`services/s/src/${file}`]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const testsOf = (...names: string[]) => names.map((name) => `services/s/test/${name}/a.test.ts`).sort();

  test('A change affects users of the definitions of the file behind the entry point, and no others.', () => {
    expect(select('low/domain/port.ts')).toEqual(testsOf('port-user'));
  });

  test('A change affects users that reach it through a module without tests.', () => {
    expect(select('low/domain/x.ts')).toEqual(testsOf('far', 'x-user'));
    expect(select('low/index.ts')).toEqual(testsOf('far', 'port-user', 'x-user'));
  });

  test('A change of an implementation affects the users of its port.', () => {
    expect(select('low/data/port.ts')).toEqual(testsOf('port-user'));
  });

  test('A change that only the composition uses affects the whole service.', () => {
    expect(select('alone/domain/alone.ts')).toEqual(testsOf('far', 'other', 'port-user', 'x-user'));
  });
});
