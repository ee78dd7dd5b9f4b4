/** Finds the cycles of a directed graph: its strongly connected components, each with a shortest cycle. */

export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns one cycle for each strongly connected component (Tarjan 1972); the first node is also the last. */
export function cyclesOf(graph: Graph): string[][] {
  return components(graph)
    .filter((group) => group.length > 1)
    .map((group) => shortestRound(graph, group))
    .toSorted((a, b) => a.join().localeCompare(b.join()));
}

interface Visit {
  readonly node: string;
  readonly next: Iterator<string>;
}

function components(graph: Graph): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const found: string[][] = [];

  const enter = (node: string): Visit => {
    index.set(node, index.size);
    low.set(node, index.size - 1);
    open.push(node);
    isOpen.add(node);
    return { node, next: (graph.get(node) ?? new Set<string>())[Symbol.iterator]() };
  };
  const lower = (node: string, to: number | undefined): void => {
    low.set(node, Math.min(low.get(node) ?? 0, to ?? 0));
  };
  const leave = (node: string): void => {
    if (low.get(node) !== index.get(node)) return;
    const group = open.splice(open.indexOf(node));
    for (const member of group) isOpen.delete(member);
    found.push(group);
  };

  for (const start of graph.keys()) {
    if (index.has(start)) continue;
    const stack = [enter(start)];
    for (let visit = stack.at(-1); visit !== undefined; visit = stack.at(-1)) {
      const { value: next, done } = visit.next.next();
      if (done) {
        stack.pop();
        leave(visit.node);
        const above = stack.at(-1);
        if (above !== undefined) lower(above.node, low.get(visit.node));
      } else if (!index.has(next)) stack.push(enter(next));
      else if (isOpen.has(next)) lower(visit.node, index.get(next));
    }
  }
  return found;
}

function shortestRound(graph: Graph, group: readonly string[]): string[] {
  const inside = new Set(group);
  const rounds = [...group].toSorted().map((start) => roundFrom(graph, inside, start));
  return rounds.reduce((best, round) => (round.length < best.length ? round : best));
}

/** Searches breadth first for an edge to the start. */
function roundFrom(graph: Graph, inside: ReadonlySet<string>, start: string): string[] {
  const cameFrom = new Map<string, string | undefined>([[start, undefined]]);
  for (const node of cameFrom.keys()) {
    for (const next of graph.get(node) ?? []) {
      if (next === start) {
        const way = [start];
        for (let at: string | undefined = node; at !== undefined; at = cameFrom.get(at)) way.unshift(at);
        return way;
      }
      if (inside.has(next) && !cameFrom.has(next)) cameFrom.set(next, node);
    }
  }
  throw new Error(`${start} is in no cycle`);
}
