/** Returns all violations of the rules in a tree of sources. */
import { statefulClosuresIn } from './closures.ts';
import { cyclesOf } from './cycles.ts';
import { isProcess, placeOf } from './places.ts';
import { edgeOf, rules } from './rules.ts';
import type { Source } from './sources.ts';

export interface Violation {
  readonly rule: string;
  readonly because: string;
  /** The violating file; for a cycle between modules, `<process>/src/<module>`. */
  readonly from: string;
  /** The forbidden import, the cycle, or the forbidden content. */
  readonly to: string;
  readonly line?: number;
}

export function violationsIn(sources: readonly Source[]): Violation[] {
  return [
    ...imports(sources),
    ...sources.flatMap(({ path }) => misplaced(path)),
    ...sources.flatMap(statefulClosures),
    ...cyclesBetweenFiles(sources),
    ...cyclesBetweenModules(sources),
  ];
}

function imports(sources: readonly Source[]): Violation[] {
  return sources.flatMap(({ path, imports: imported }) =>
    imported.flatMap(({ to, line }) => {
      const edge = edgeOf(path, to);
      return rules
        .filter((rule) => rule.broken(edge))
        .map(({ name, because }) => ({ rule: name, because, from: path, to, line }));
    }),
  );
}

/** In a service every file of a module is in one of its layers; a module of the gateway need not have layers. */
function misplaced(path: string): Violation[] {
  const { package: name, kind, layer, entry } = placeOf(path);
  if (!name.startsWith('services/') || !(kind === 'module' || kind === 'layer') || entry) return [];
  if (kind === 'module' && layer !== undefined) return [];
  return [
    {
      rule: 'a-module-has-layers',
      because: 'What a file may import follows from its layer: domain, data, http, graph or jobs.',
      from: path,
      to: 'no layer',
    },
  ];
}

/** Tests may keep observations in a closure; production code declares state by a class. */
function statefulClosures({ path, text }: Source): Violation[] {
  if (!/^(composition|module|layer)$/.test(placeOf(path).kind)) return [];
  return statefulClosuresIn(path, text).map(({ name, line, state }) => ({
    rule: 'state-is-kept-by-classes',
    because: 'An object whose functions share variables is an instance of a class, with private fields.',
    from: path,
    to: `${name}: ${state.join(', ')}`,
    line,
  }));
}

function cyclesBetweenFiles(sources: readonly Source[]): Violation[] {
  const known = new Set(sources.map(({ path }) => path));
  const graph = new Map(
    sources.map(({ path, imports: imported }) => {
      const counted = imported.filter(({ to }) => known.has(to) && to !== path);
      return [path, new Set(counted.map(({ to }) => to))];
    }),
  );
  return cyclesOf(graph).map((round) =>
    cycle('no-cycles-between-files', 'Two files that need each other are one file.', round),
  );
}

function cyclesBetweenModules(sources: readonly Source[]): Violation[] {
  const graph = new Map<string, Set<string>>();
  for (const { path, imports: imported } of sources) {
    for (const { to } of imported) {
      const { from, target } = edgeOf(path, to);
      const inside = from.package === target.package && isProcess(from.package);
      if (!inside || from.kind !== 'module' || target.kind !== 'module' || from.module === target.module)
        continue;
      const name = `${from.package}/src/${from.module}`;
      graph.set(name, (graph.get(name) ?? new Set()).add(`${target.package}/src/${target.module}`));
    }
  }
  return cyclesOf(graph).map((round) =>
    cycle(
      'no-cycles-between-modules',
      'A module can be understood after those it imports; the lower one declares a port for what it needs of the higher.',
      round,
    ),
  );
}

function cycle(rule: string, because: string, round: readonly string[]): Violation {
  return { rule, because, from: round[0] ?? '', to: round.slice(1).join(' → ') };
}
