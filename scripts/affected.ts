/**
 * Returns the tests that a change affects: those of its module, those that import the changed file, and those of
 * modules that use its definitions, nearest first, up to a limit of about two minutes. The complete run covers the
 * others; types, layers and unused code are always checked.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { placeOf } from './structure/places.ts';
import { Uses } from './structure/uses.ts';

/** Paths from the root; `everything` when the affected tests cannot be determined. */
export type Affected = 'everything' | readonly string[];

const source = /^(?<pack>services\/[^/]+|libs\/[^/]+|gateway)\/src\//;
const testCode = /\.test\.ts$|^(?:services\/[^/]+|libs\/[^/]+|gateway)\/test\/|^e2e\//;
/** Maximum number of test files of other modules: two minutes on two cores. */
const most = 30;
/** Composition roots and schema files affect every module. */
const wholePackage =
  /^(?:services\/[^/]+|gateway)\/(?:src\/(?:[^/]+$|composition\/|[^/]+\/module\.ts$)|prisma\/)/;
/** Static tests of the repository (documents, manifests, names, layers), which always run. */
const repository = 'e2e/repository/';
const prose =
  /\.(md|svg|png|yaml|yml)$|^(docs|k8s|deploy|bench)\/|^(Dockerfile|docker-compose\.yml|LICENSE)$/;
const relativeImport = /(?:\bfrom|\bimport|new URL)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/**
 * Returns the files that differ from `base`, including new ones. Default: the commit at which this branch left `main`.
 */
export function changedFiles(root: string, base?: string): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const from = base ?? git('merge-base', 'HEAD', mainBranch(git))[0] ?? 'HEAD';
  return [
    ...new Set([
      ...git('diff', '--name-only', '--no-renames', from),
      ...git('ls-files', '--others', '--exclude-standard'),
    ]),
  ].sort();
}

function mainBranch(git: (...args: string[]) => string[]): string {
  const names = new Set(
    git('for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/remotes/origin'),
  );
  return ['origin/main', 'main', 'origin/master', 'master'].find((name) => names.has(name)) ?? 'HEAD';
}

/** Reads the current files. */
export function readTree(root: string): Tree {
  const files = globSync(
    ['{libs,services}/*/{src,test}/**/*.ts', 'gateway/{src,test}/**/*.ts', 'e2e/**/*.ts'],
    {
      cwd: root,
      exclude: (name) => name === 'node_modules' || name === 'dist' || name === 'generated',
    },
  ).map(normalize);
  const inPackages = new Map<string, Uses>();
  return {
    tests: files.filter((file) => file.endsWith('.test.ts')),
    importers: importersIn(root, files),
    uses(pack) {
      const read = inPackages.get(pack) ?? new Uses(root, inSources(files, pack));
      inPackages.set(pack, read);
      return read;
    },
  };
}

/** @param changed paths from the root */
export function affectedTests(tree: Tree, changed: readonly string[]): Affected {
  const affected = new Set(tree.tests.filter((test) => test.startsWith(repository)));
  for (const file of changed) {
    const reason = reach(file, tree);
    if (reason === 'everything') return 'everything';
    for (const test of reason) affected.add(test);
  }
  return [...affected].sort();
}

export interface Tree {
  tests: readonly string[];
  /** File → files that import it. */
  importers: ReadonlyMap<string, readonly string[]>;
  /** Returns the uses of names in a package. */
  uses(pack: string): Uses;
}

function reach(file: string, tree: Tree): Affected {
  const { tests } = tree;
  if (wholePackage.test(file)) {
    const pack = file.split('/src/')[0]?.split('/prisma/')[0];
    return tests.filter((test) => test.startsWith(`${pack}/`));
  }
  const pack = source.exec(file)?.groups?.pack;
  if (pack !== undefined) {
    return [...testsOf(tree, file, pack, moduleOf(file) ?? ''), ...importingTests(file, tree)];
  }
  if (testCode.test(file)) return [...tests.filter((test) => test === file), ...importingTests(file, tree)];
  return prose.test(file) ? [] : 'everything';
}

/** A lib is small enough to run all its tests. */
function testsOf(tree: Tree, file: string, pack: string, module: string): readonly string[] {
  const all = tree.tests.filter((test) => test.startsWith(`${pack}/`));
  if (pack.startsWith('libs/')) return all;
  const found = new Set(testsOfModule(all, pack, module));
  const limit = found.size === 0 ? Number.POSITIVE_INFINITY : most;
  for (const user of usingModules(tree, file, pack, module)) {
    const theirs = testsOfModule(all, pack, user);
    if (found.size + theirs.length <= limit) for (const test of theirs) found.add(test);
  }
  // Only the composition imports it.
  return found.size === 0 ? all : [...found];
}

const testsOfModule = (tests: readonly string[], pack: string, module: string): string[] =>
  tests.filter(
    (test) => test.startsWith(`${pack}/test/${module}/`) || test.startsWith(`${pack}/src/${module}/`),
  );

/**
 * Returns the modules that use the definitions of a file, those with the most using files first. Modules without tests
 * are passed through.
 */
function usingModules({ tests, uses }: Tree, file: string, pack: string, module: string): string[] {
  const isTested = (name: string) => testsOfModule(tests, pack, name).length > 0;
  const known = uses(pack);
  const counts = new Map<string, number>();
  const seen = new Set([file]);
  const waiting = [file];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const user of [...known.usersOf(path), ...portsOf(known, path)]) {
      const name = moduleOf(user);
      if (name === undefined || seen.has(user)) continue;
      seen.add(user);
      if (name === module || !isTested(name)) waiting.push(user);
      else counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name);
}

/**
 * Returns the ports that a file implements: only the composition imports the implementation, while users import the
 * port.
 */
function portsOf(uses: Uses, file: string): string[] {
  const { module, layer } = placeOf(file);
  if (layer !== 'data') return [];
  const isPort = (from: string): boolean => moduleOf(from) === module && placeOf(from).layer === 'domain';
  return uses
    .takenBy(file)
    .filter(({ from }) => isPort(from))
    .flatMap(({ from, name }) => uses.originsOf(from, name));
}

const moduleOf = (path: string): string | undefined => placeOf(path).module;

/**
 * Returns tests that import the file, directly or through test code. Test code that nearly every test imports is
 * excluded, because it does not show which source a test covers.
 */
function importingTests(file: string, tree: Tree): string[] {
  const through = (path: string): string[] => {
    const seen = new Set<string>();
    const waiting = [path];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const importer of tree.importers.get(next) ?? []) {
        if (seen.has(importer) || !testCode.test(importer)) continue;
        seen.add(importer);
        waiting.push(importer);
      }
    }
    return [...seen].filter((one) => one.endsWith('.test.ts'));
  };
  if (!source.test(file)) return through(file);
  const direct = (tree.importers.get(file) ?? []).filter((importer) => testCode.test(importer));
  return direct.flatMap((importer) => {
    if (importer.endsWith('.test.ts')) return [importer];
    const users = through(importer);
    return users.length > most ? [] : users;
  });
}

function importersIn(root: string, files: readonly string[]): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const file of files) {
    if (!existsSync(join(root, file))) continue;
    // A type does not change the result of a test; the type check covers it.
    const text = readFileSync(join(root, file), 'utf8').replace(/^import type [^;]*;/gm, '');
    for (const [, target = ''] of text.matchAll(relativeImport)) {
      const imported = normalize(join(dirname(file), target));
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return importers;
}

const inSources = (files: readonly string[], pack: string): string[] =>
  files.filter((file) => file.startsWith(`${pack}/src/`) && !file.endsWith('.test.ts'));
