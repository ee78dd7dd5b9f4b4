/** Figures of the structure of each package, and the places above the limits. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { cyclesOf } from './cycles.ts';
import { functionsOf } from './functions.ts';
import { type Place, placeOf } from './places.ts';
import { edgeOf, isAgainstDirection } from './rules.ts';
import { filesOf, readSources, type Source } from './sources.ts';

export const limits = { filesInFolder: 25, linesInFile: 400, linesInFunction: 60 } as const;
export type Limited = keyof typeof limits;

/** Figures of one package. */
export interface Figures {
  readonly filesInFolder: number;
  readonly linesInFile: number;
  readonly linesInFunction: number;
  /** Imports from a module (or a layer, without modules) into another of the package. */
  readonly importsBetweenModules: number;
  readonly cyclesBetweenFiles: number;
  readonly cyclesBetweenModules: number;
  readonly againstDirection: number;
}

/** Sizes by place: `<folder>`, `<file>`, `<file>#<function>`. */
export type Measured = Readonly<Record<Limited, ReadonlyMap<string, number>>>;

export interface Structure {
  readonly packages: ReadonlyMap<string, Figures>;
  readonly measured: Measured;
}

const schemas = ['services/*/src/**/*.graphql'];

export function structureOf(root: string): Structure {
  const sources = readSources(root);
  const schemaFiles = filesOf(root, schemas).map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }));
  const measured = measure(sources, schemaFiles);
  const names = [...new Set(sources.map(({ path }) => placeOf(path).package))].toSorted();
  const packages = new Map(
    names.map((name) => {
      const own = sources.filter(({ path }) => placeOf(path).package === name);
      return [name, figuresOf(name, own, measured)] as const;
    }),
  );
  return { packages, measured };
}

function measure(
  sources: readonly Source[],
  schemaFiles: readonly { path: string; text: string }[],
): Measured {
  const files = [...sources, ...schemaFiles];
  const filesInFolder = new Map<string, number>();
  for (const { path } of files) {
    const folder = posix.dirname(path);
    filesInFolder.set(folder, (filesInFolder.get(folder) ?? 0) + 1);
  }
  const linesInFile = new Map(files.map(({ path, text }) => [path, text.split('\n').length - 1]));
  const linesInFunction = new Map<string, number>();
  for (const { path, text } of sources) {
    for (const { name, lines } of functionsOf(path, text)) {
      const key = `${path}#${name}`;
      linesInFunction.set(key, Math.max(lines, linesInFunction.get(key) ?? 0));
    }
  }
  return { filesInFolder, linesInFile, linesInFunction };
}

function figuresOf(name: string, sources: readonly Source[], measured: Measured): Figures {
  const most = (of: Limited): number => {
    const own = [...measured[of]].filter(([path]) => path === name || path.startsWith(`${name}/`));
    return Math.max(0, ...own.map(([, size]) => size));
  };
  const edges = sources.flatMap(({ path, imports }) => imports.map(({ to }) => edgeOf(path, to)));
  const between = edges.filter(
    ({ from, target }) =>
      from.package === target.package &&
      moduleOf(from) !== undefined &&
      moduleOf(target) !== undefined &&
      moduleOf(from) !== moduleOf(target),
  );
  return {
    filesInFolder: most('filesInFolder'),
    linesInFile: most('linesInFile'),
    linesInFunction: most('linesInFunction'),
    importsBetweenModules: between.length,
    cyclesBetweenFiles: cyclesIn(edges.map(({ path, to }) => [path, to])),
    cyclesBetweenModules: cyclesIn(
      between.map(({ from, target }) => [moduleOf(from) ?? '', moduleOf(target) ?? '']),
    ),
    againstDirection: edges.filter(isAgainstDirection).length,
  };
}

/** In services without modules, layers take their place. */
const moduleOf = ({ kind, module, layer }: Place): string | undefined =>
  kind === 'module' ? module : kind === 'layer' ? layer : undefined;

function cyclesIn(edges: readonly (readonly [string, string])[]): number {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of edges) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  return cyclesOf(graph).length;
}

/** Returns the places above their limit, sorted by name. */
export function aboveLimits(measured: Measured): Record<Limited, Record<string, number>> {
  const above = (of: Limited): Record<string, number> =>
    Object.fromEntries(
      [...measured[of]].filter(([, size]) => size > limits[of]).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  return {
    filesInFolder: above('filesInFolder'),
    linesInFile: above('linesInFile'),
    linesInFunction: above('linesInFunction'),
  };
}
