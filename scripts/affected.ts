/**
 * Which tests a change affects: those of the module it is in, and those that import the changed file themselves. What other modules make
 * of it is for the whole run; its types, layers and unused parts are checked either way.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Tests by their paths from the root; `everything` when it can't be said which. */
export type Affected = 'everything' | readonly string[];

/** A package's sources, and the module they belong to if they are in one. */
const source = /^(?<pack>services\/[^/]+|libs\/[^/]+|gateway)\/src\/(?:(?<module>[^/]+)\/)?/;
const testCode = /\.test\.ts$|^(?:services\/[^/]+|libs\/[^/]+|gateway)\/test\/|^e2e\//;
/** Composition roots and what belongs to the schema as a whole concern every module. */
const wholePackage = /^(?:services\/[^/]+|gateway)\/(?:src\/(?:[^/]+$|composition\/)|prisma\/)/;
/** The repository's own tests: documents, manifests, names, layers. Static, so they always run. */
const repository = 'e2e/repository/';
const prose =
  /\.(md|svg|png|yaml|yml)$|^(docs|k8s|deploy|bench)\/|^(Dockerfile|docker-compose\.yml|LICENSE)$/;
const relativeImport = /(?:\bfrom|\bimport|new URL)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** The files that differ from `base`, which is where this branch left `main` unless given; new ones too. */
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

/** @param changed paths from `root` */
export function affectedTests(root: string, changed: readonly string[]): Affected {
  const files = globSync(
    ['{libs,services}/*/{src,test}/**/*.ts', 'gateway/{src,test}/**/*.ts', 'e2e/**/*.ts'],
    {
      cwd: root,
      exclude: (name) => name === 'node_modules' || name === 'dist' || name === 'generated',
    },
  ).map(normalize);
  const tests = files.filter((file) => file.endsWith('.test.ts'));
  const importers = importersIn(root, files);
  const affected = new Set(tests.filter((test) => test.startsWith(repository)));
  for (const file of changed) {
    const reason = reach(file, { tests, importers });
    if (reason === 'everything') return 'everything';
    for (const test of reason) affected.add(test);
  }
  return [...affected].sort();
}

interface Tree {
  tests: readonly string[];
  /** File → those that import it. */
  importers: ReadonlyMap<string, readonly string[]>;
}

function reach(file: string, tree: Tree): Affected {
  const { tests } = tree;
  if (wholePackage.test(file)) {
    const pack = file.split('/src/')[0]?.split('/prisma/')[0];
    return tests.filter((test) => test.startsWith(`${pack}/`));
  }
  const { pack, module } = source.exec(file)?.groups ?? {};
  if (pack !== undefined) {
    return [...testsOf(tree, pack, module), ...importingTests(file, tree)];
  }
  if (testCode.test(file)) return [...tests.filter((test) => test === file), ...importingTests(file, tree)];
  return prose.test(file) ? [] : 'everything';
}

/** A lib is small enough to be tested as a whole. A module without tests of its own is tested by those who import it. */
function testsOf({ tests, importers }: Tree, pack: string, module = ''): string[] {
  if (pack.startsWith('libs/')) return tests.filter((test) => test.startsWith(`${pack}/`));
  const of = (name: string) =>
    tests.filter(
      (test) => test.startsWith(`${pack}/test/${name}/`) || test.startsWith(`${pack}/src/${name}/`),
    );
  const own = of(module);
  if (own.length > 0) return own;
  const inside = `${pack}/src/${module}/`;
  const users = new Set(
    [...importers]
      .filter(([file]) => file.startsWith(inside))
      .flatMap(([, by]) => by.map((user) => source.exec(user)?.groups?.module ?? ''))
      .filter((name) => name !== '' && name !== module && name !== 'composition'),
  );
  return [...users].flatMap(of);
}

/** Tests that import the file, themselves or through test code. */
function importingTests(file: string, { importers }: Tree): string[] {
  const seen = new Set<string>();
  const waiting = [file];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const importer of importers.get(path) ?? []) {
      if (seen.has(importer) || !testCode.test(importer)) continue;
      seen.add(importer);
      waiting.push(importer);
    }
  }
  return [...seen].filter((path) => path.endsWith('.test.ts'));
}

function importersIn(root: string, files: readonly string[]): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const file of files) {
    if (!existsSync(join(root, file))) continue;
    for (const [, target = ''] of readFileSync(join(root, file), 'utf8').matchAll(relativeImport)) {
      const imported = normalize(join(dirname(file), target));
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return importers;
}
