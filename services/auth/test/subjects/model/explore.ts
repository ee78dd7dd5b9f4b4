/** What may happen next in a state. */
export interface Step<State> {
  name: string;
  next: State;
  /** Something that breaks; everything else is what the system does by itself. */
  fault?: boolean;
}

export interface Model<State> {
  initial: State;
  steps(state: State): Step<State>[];
  /** What is wrong with a state; undefined when nothing is. */
  violation(state: State): string | undefined;
  /** Everything has been done that has to be. */
  settled(state: State): boolean;
}

export interface Exploration {
  states: number;
  transitions: number;
  settled: number;
  /** How the first thing that went wrong came about; undefined when nothing did. */
  problem?: { what: string; trace: string[] };
}

/** More than this, and the model is too large to be explored whole: that is an error, not a sample. */
const mostStates = 500_000;

/**
 * Visits every state that can be reached, breadth first, so that a counterexample is as short as can be.
 *
 * Two things are asked of a model. Safety: no state is wrong. Progress: wherever it has got to, when nothing breaks any more the
 * system comes to a settled state by itself, whatever the order of its steps. It does when no unsettled state is without a step,
 * and no steps go round in a circle.
 */
export function explore<State extends object>(model: Model<State>): Exploration {
  const indexes = new Map<string, number>();
  const parents: { from: number; step: string }[] = [];
  const progress: number[][] = [];
  const settled: boolean[] = [];
  const states: State[] = [];
  let transitions = 0;

  const visit = (state: State, from: number, step: string): number => {
    // All states of a model have the same fields in the same order, so what is in them tells them apart.
    const key = JSON.stringify(Object.values(state));
    const known = indexes.get(key);
    if (known !== undefined) return known;
    const index = states.push(state) - 1;
    indexes.set(key, index);
    parents.push({ from, step });
    return index;
  };
  const traceTo = (index: number): string[] => {
    const trace: string[] = [];
    for (let at = index; at > 0; at = parents[at]?.from ?? 0) trace.unshift(parents[at]?.step ?? '');
    return trace;
  };
  const result = (problem?: Exploration['problem']): Exploration => ({
    states: states.length,
    transitions,
    settled: settled.filter(Boolean).length,
    ...(problem && { problem }),
  });

  visit(model.initial, 0, '');
  for (let index = 0; index < states.length; index += 1) {
    if (states.length > mostStates) throw new Error('the model has too many states to visit them all');
    const state = states[index] as State;
    const what = model.violation(state);
    if (what !== undefined) return result({ what, trace: traceTo(index) });
    settled[index] = model.settled(state);
    const steps = model.steps(state);
    transitions += steps.length;
    progress[index] = [];
    for (const { name, next, fault } of steps) {
      const to = visit(next, index, name);
      if (!fault) progress[index]?.push(to);
    }
    if (!settled[index] && progress[index]?.length === 0) {
      return result({ what: 'nothing more happens, and it is not done', trace: traceTo(index) });
    }
  }
  const circle = findCircle(progress);
  if (circle !== undefined) return result({ what: 'it goes round in a circle', trace: traceTo(circle) });
  return result();
}

/** A node on a cycle; undefined when there is none. Kahn's algorithm: what can't be taken away is on one, or behind one. */
function findCircle(edges: readonly (readonly number[])[]): number | undefined {
  const incoming = new Int32Array(edges.length);
  for (const targets of edges) for (const to of targets) incoming[to] = (incoming[to] ?? 0) + 1;
  const free = [...incoming.keys()].filter((node) => incoming[node] === 0);
  let removed = 0;
  while (free.length > 0) {
    const node = free.pop() as number;
    removed += 1;
    for (const to of edges[node] ?? []) {
      incoming[to] = (incoming[to] ?? 0) - 1;
      if (incoming[to] === 0) free.push(to);
    }
  }
  return removed === edges.length ? undefined : incoming.findIndex((count) => count > 0);
}
