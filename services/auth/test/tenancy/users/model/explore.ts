/** Possible next step in a state. */
export interface Step<State> {
  name: string;
  next: State;
  /** Whether it is a failure, and no step of the system itself. */
  fault?: boolean;
}

export interface Model<State> {
  initial: State;
  steps(state: State): Step<State>[];
  /** Returns the violation in a state; undefined if there is none. */
  violation(state: State): string | undefined;
  /** Reports whether all required work is done. */
  settled(state: State): boolean;
}

export interface Exploration {
  states: number;
  transitions: number;
  settled: number;
  /** First violation with the steps that lead to it; undefined if there is none. */
  problem?: { what: string; trace: string[] };
}

/** Maximum number of states. A larger model is an error, because it is always explored completely. */
const maxStates = 500_000;

/**
 * Visits every reachable state, breadth first, so that a counterexample is as short as possible.
 *
 * A model is checked for two properties. Safety: no state has a violation. Progress: once failures stop, the system
 * reaches a settled state from every state, in every order of its steps. This holds if every unsettled state has a step
 * and the steps form no cycle.
 */
export function explore<State extends object>(model: Model<State>): Exploration {
  const indexes = new Map<string, number>();
  const parents: { from: number; step: string }[] = [];
  const progress: number[][] = [];
  const settled: boolean[] = [];
  const states: State[] = [];
  let transitions = 0;

  const visit = (state: State, from: number, step: string): number => {
    // All states of a model have the same fields in the same order, so their values identify them.
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
    if (states.length > maxStates) throw new Error('the model has too many states to visit them all');
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

/**
 * Returns a node on a cycle; undefined if there is none. Kahn's algorithm: a node that cannot be removed is on a cycle
 * or behind one.
 */
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
