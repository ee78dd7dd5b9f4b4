/** Finds functions that keep state for the functions of a returned object, which should be a class. */
import { parseSync } from 'oxc-parser';
import { lineAt } from './sources.ts';

export interface StatefulClosure {
  readonly name: string;
  readonly line: number;
  /** Variables that persist between calls. */
  readonly state: readonly string[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** Types that are changed in place, and functions that run later. */
const keepsState = /^(Map|Set|WeakMap|WeakSet|LRUCache|Timeout)$/;
const timers = /^(setInterval|setTimeout|setImmediate)$/;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
const isFunction = ({ type }: Node): boolean =>
  type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';

function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode));
}

/** Returns a node and its descendants, without those of inner functions unless requested. */
function* within(node: Node, o: { functions: boolean }): Generator<Node> {
  yield node;
  for (const child of childrenOf(node)) {
    if (o.functions || !isFunction(child)) yield* within(child, o);
    else yield child;
  }
}

const nameOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Identifier' ? String(node.name) : undefined;

/** Unwraps `(…)`, `… as T` and `… satisfies T`. */
function plain(node: unknown): Node | undefined {
  if (!isNode(node)) return undefined;
  const wrapped = ['ParenthesizedExpression', 'TSAsExpression', 'TSSatisfiesExpression', 'AwaitExpression'];
  if (wrapped.includes(node.type)) return plain(node.expression ?? node.argument);
  return node;
}

export function statefulClosuresIn(path: string, text: string): StatefulClosure[] {
  const program = parseSync(path, text).program as unknown as Node;
  return [...within(program, { functions: true })].flatMap((node) => {
    const named = namedFunction(node);
    if (!named) return [];
    const state = stateOf(named.node);
    return state.length > 0 ? [{ name: named.name, line: lineAt(text, named.node.start), state }] : [];
  });
}

function namedFunction(node: Node): { name: string; node: Node } | undefined {
  if (node.type === 'FunctionDeclaration') {
    const name = nameOf(node.id);
    return name === undefined ? undefined : { name, node };
  }
  if (node.type !== 'VariableDeclarator') return undefined;
  const [name, made] = [nameOf(node.id), plain(node.init)];
  return name !== undefined && made && isFunction(made) ? { name, node: made } : undefined;
}

/** Returns the variables of a function that the functions of its returned object keep between calls. */
function stateOf(made: Node): string[] {
  const body = made.body as Node;
  const own = [...within(body, { functions: false })].filter((node) => node === body || !isFunction(node));
  const returned = own
    .filter(({ type }) => type === 'ReturnStatement')
    .map(({ argument }) => plain(argument))
    .filter((value) => value?.type === 'ObjectExpression');
  if (returned.length === 0) return [];
  const declared = variablesOf(own);
  const locals = functionsIn(body);
  const found = new Set<string>();
  const seen = new Set<Node>();
  const follow = (node: Node): void => {
    if (seen.has(node)) return;
    seen.add(node);
    for (const inside of within(node, { functions: true })) {
      const name = nameOf(inside) ?? '';
      if (declared.has(name)) found.add(name);
      const local = locals.get(name);
      if (local) follow(local);
    }
  };
  for (const object of returned) {
    // Functions among its members: inline, or by name.
    for (const { value } of (object as Node).properties as Node[]) {
      const member = plain(value);
      const method = member && isFunction(member) ? member : locals.get(nameOf(member) ?? '');
      if (method) follow(method);
    }
  }
  return [...found];
}

/** Returns the variables that are reassigned, or contain a value that is changed in place. */
function variablesOf(own: readonly Node[]): Set<string> {
  const found = new Set<string>();
  for (const { type, kind, declarations } of own) {
    if (type !== 'VariableDeclaration') continue;
    for (const { id, init } of declarations as Node[]) {
      const name = nameOf(id);
      if (name !== undefined && (kind === 'let' || isState(plain(init)))) found.add(name);
    }
  }
  return found;
}

function isState(init: Node | undefined): boolean {
  const called = nameOf(init?.callee) ?? '';
  if (init?.type === 'NewExpression') return keepsState.test(called);
  return init?.type === 'CallExpression' && timers.test(called);
}

/** Returns the functions of a body by their local name. */
function functionsIn(body: Node): Map<string, Node> {
  const found = [...within(body, { functions: false })].flatMap((node) => {
    const named = namedFunction(node);
    return named ? [[named.name, named.node] as const] : [];
  });
  return new Map(found);
}
