/** Figures of the authorization server and of the whole product that show how far a change reaches. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isProcess, placeOf } from './places.ts';
import { filesOf, readSources, type Source } from './sources.ts';

/** The name of a figure → its value. */
export type Shape = Readonly<Record<string, number>>;

const auth = 'services/auth';
const productFiles = ['{libs,services}/*/src/**/*.{ts,graphql}', '{gateway,cli,console}/src/**/*.{ts,tsx}'];

export function shapeOf(root: string): Shape {
  const product = readSources(root).filter(({ path }) => isProduct(path));
  const own = product.filter(({ path }) => path.startsWith(`${auth}/src/`));
  const graph = unitGraph(own);
  const tables = tablesOf(root, own);
  return {
    'auth: units (districts, or modules without districts)': graph.size,
    'auth: floors of the import graph of units': floorsOf(graph),
    'auth: connected pairs of units': pairsOf(graph),
    'auth: tables': tables.length,
    'auth: tables named in SQL of more than one unit': tables.filter(({ units }) => units.size > 1).length,
    'auth: interfaces that exactly one class implements': singleImplementations(own),
    'auth: uses of Pick<>': countOf(own, /\bPick</g),
    'index.ts files': filesOf(root, ['**/src/**/index.{ts,tsx}', '**/src/index.ts']).length,
    'folders with a single file and no folders': foldersWithOneFile(root),
    'lines of the product': linesOf(productTexts(root)),
  };
}

const isProduct = (path: string): boolean => {
  const { package: name, kind } = placeOf(path);
  if (kind !== 'module' && kind !== 'composition' && kind !== 'layer') return false;
  return isProcess(name) || name.startsWith('libs/') || name === 'cli' || name === 'console';
};

const unitOf = (path: string): string | undefined => {
  const { kind, unit } = placeOf(path);
  return kind === 'module' ? unit : undefined;
};

function unitGraph(sources: readonly Source[]): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const { path, imports } of sources) {
    const from = unitOf(path);
    if (from === undefined) continue;
    const targets = graph.get(from) ?? new Set();
    graph.set(from, targets);
    for (const { to } of imports) {
      const target = to.startsWith(`${auth}/src/`) ? unitOf(to) : undefined;
      if (target !== undefined && target !== from) targets.add(target);
    }
  }
  return graph;
}

/** Length in units of the longest chain of imports. */
function floorsOf(graph: ReadonlyMap<string, ReadonlySet<string>>): number {
  const known = new Map<string, number>();
  const floorOf = (unit: string): number => {
    const floor = known.get(unit);
    if (floor !== undefined) return floor;
    known.set(unit, 0);
    const below = [...(graph.get(unit) ?? [])].map(floorOf);
    known.set(unit, 1 + Math.max(0, ...below));
    return known.get(unit) ?? 0;
  };
  return Math.max(0, ...[...graph.keys()].map(floorOf));
}

function pairsOf(graph: ReadonlyMap<string, ReadonlySet<string>>): number {
  const pairs = [...graph].flatMap(([from, targets]) =>
    [...targets].map((to) => [from, to].toSorted().join(' ')),
  );
  return new Set(pairs).size;
}

/** The tables of the schema, each with the units whose files name it in SQL. */
function tablesOf(root: string, sources: readonly Source[]): { units: ReadonlySet<string> }[] {
  const schema = readFileSync(join(root, auth, 'prisma/schema.prisma'), 'utf8');
  const names = [...schema.matchAll(/@@map\("(\w+)"\)/g)].map(([, name = '']) => name);
  return names.map((name) => {
    const named = new RegExp(
      `\\b(?:FROM|JOIN|INTO|UPDATE|USING|TABLE)\\s+(?:ONLY\\s+)?auth\\.${name}\\b`,
      'i',
    );
    const naming = sources
      .filter(({ text }) => named.test(text))
      .map(({ path }) => unitOf(path) ?? 'composition');
    return { units: new Set(naming) };
  });
}

function singleImplementations(sources: readonly Source[]): number {
  const implementations = new Map<string, number>();
  for (const { text } of sources) {
    for (const [, list = ''] of text.matchAll(
      /\bclass \w+(?:<[^{]*>)?(?: extends [\w.<>, ]+?)? implements ([^{]+)\{/g,
    )) {
      for (const name of list.replaceAll(/<[^<>]*>/g, '').split(',')) {
        const key = name.trim();
        implementations.set(key, (implementations.get(key) ?? 0) + 1);
      }
    }
  }
  return [...implementations.values()].filter((count) => count === 1).length;
}

const countOf = (sources: readonly Source[], pattern: RegExp): number =>
  sources.reduce((sum, { text }) => sum + [...text.matchAll(pattern)].length, 0);

const linesOf = (texts: readonly { text: string }[]): number =>
  texts.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);

const productTexts = (root: string): { text: string }[] =>
  filesOf(root, productFiles)
    .filter((path) => !path.includes('.test.'))
    .map((path) => ({ text: readFileSync(join(root, path), 'utf8') }));

function foldersWithOneFile(root: string): number {
  const files = new Map<string, number>();
  for (const path of filesOf(root, productFiles)) {
    const folder = posix.dirname(path);
    files.set(folder, (files.get(folder) ?? 0) + 1);
  }
  return [...files].filter(([folder, count]) => count === 1 && !hasFolders(folder, files)).length;
}

const hasFolders = (folder: string, files: ReadonlyMap<string, number>): boolean =>
  [...files.keys()].some((other) => other.startsWith(`${folder}/`));
