/** Returns all violations of the rules in a tree of sources. */
import { statefulClosuresIn } from './closures.ts';
import { cyclesOf } from './cycles.ts';
import { districts, isProcess, placeOf } from './places.ts';
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

/** A file of a service is in a layer of a module, and a module of the authorization server in a district. The gateway has no such rule. */
function misplaced(path: string): Violation[] {
  const { package: name, kind, unit = '', layer, entry } = placeOf(path);
  if (!name.startsWith('services/') || !(kind === 'module' || kind === 'layer')) return [];
  const found: Violation[] = [];
  if (name === 'services/auth' && !districts.includes(unit)) {
    found.push({
      rule: 'a-module-is-in-a-district',
      because: `The districts are ${districts.join(', ')}.`,
      from: path,
      to: 'no district',
    });
  }
  if (!entry && (kind === 'layer' || layer === undefined)) {
    found.push({
      rule: 'a-module-has-layers',
      because: 'The layer of a file (domain, data, http, graph or jobs) determines its permitted imports.',
      from: path,
      to: 'no layer',
    });
  }
  return found;
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
      'A module can be understood after those it imports; the lower one declares a port for its needs of the higher one.',
      round,
    ),
  );
}

function cycle(rule: string, because: string, round: readonly string[]): Violation {
  return { rule, because, from: round[0] ?? '', to: round.slice(1).join(' → ') };
}
