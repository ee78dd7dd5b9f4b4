/** Lengths of the functions of a file, from the first to the last line of the node. */
import { parseSync, Visitor } from 'oxc-parser';
import { lineAt } from './sources.ts';

export interface MeasuredFunction {
  readonly name: string;
  readonly line: number;
  readonly lines: number;
}

interface Spanned {
  readonly start: number;
  readonly end: number;
}

/**
 * `describe(…, callback)`, also conditional (`describeBuilt`), groups tests like a folder and is not counted; its tests
 * are.
 */
const groupsTests = /^(x|f)?describe/;

export function functionsOf(path: string, text: string): MeasuredFunction[] {
  const names = new Map<number, string>();
  const groups = new Set<number>();
  const found: MeasuredFunction[] = [];
  const nameOf = (node: Spanned | null | undefined, key: Spanned): void => {
    if (node) names.set(node.start, text.slice(key.start, key.end));
  };
  const measure = (node: Spanned, name?: string): void => {
    if (groups.has(node.start)) return;
    const line = lineAt(text, node.start);
    const lines = lineAt(text, node.end) - line + 1;
    found.push({ name: name ?? names.get(node.start) ?? 'anonymous', line, lines });
  };
  const visitor = new Visitor({
    VariableDeclarator: (node) => nameOf(node.init, node.id),
    Property: (node) => nameOf(node.value, node.key),
    PropertyDefinition: (node) => nameOf(node.value, node.key),
    MethodDefinition: (node) => nameOf(node.value, node.key),
    CallExpression: (node) => {
      const called = text.slice(node.callee.start, node.callee.end);
      for (const argument of node.arguments) {
        if (groupsTests.test(called)) groups.add(argument.start);
        else if (!names.has(argument.start)) names.set(argument.start, `${called.split('\n')[0]}(…)`);
      }
    },
    FunctionDeclaration: (node) => measure(node, node.id?.name),
    FunctionExpression: (node) => measure(node),
    ArrowFunctionExpression: (node) => measure(node),
  });
  visitor.visit(parseSync(path, text).program);
  return found;
}
