import type { AttributePath, FilterNode } from './ast.ts';

/**
 * Formats a filter: operators in lower case, one space, parentheses only where required.
 * `parseFilter(printFilter(node))` equals `node`, except offsets.
 */
export function printFilter(node: FilterNode): string {
  switch (node.kind) {
    case 'and':
      return node.operands.map((operand) => printOperand(operand, isLogical(operand))).join(' and ');
    case 'or':
      return node.operands.map((operand) => printOperand(operand, operand.kind === 'or')).join(' or ');
    case 'not':
      return `not (${printFilter(node.operand)})`;
    case 'compare':
      return `${printPath(node.path)} ${node.operator} ${JSON.stringify(node.value)}`;
    case 'present':
      return `${printPath(node.path)} pr`;
    case 'valuePath':
      return printPath(node.path);
  }
}

/** Formats a path: `[urn:]name[filter].subAttribute`. */
export function printPath(path: AttributePath): string {
  const urn = path.urn === undefined ? '' : `${path.urn}:`;
  const filter = path.filter === undefined ? '' : `[${printFilter(path.filter)}]`;
  const sub = path.subAttribute === undefined ? '' : `.${path.subAttribute}`;
  return `${urn}${path.name}${filter}${sub}`;
}

function printOperand(node: FilterNode, parenthesised: boolean): string {
  return parenthesised ? `(${printFilter(node)})` : printFilter(node);
}

function isLogical(node: FilterNode): boolean {
  return node.kind === 'and' || node.kind === 'or';
}
