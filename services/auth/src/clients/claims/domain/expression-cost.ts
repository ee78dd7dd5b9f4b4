import type { ASTNode } from '@marcbachmann/cel-js';
import { maxTextLength } from './user-attributes.ts';

/**
 * Upper bounds of a value. A unit is a string of at most `maxTextLength` characters, or another scalar.
 */
export interface Bound {
  /** Units of the whole value. */
  size: number;
  /** Number of elements, if it is a list. */
  length: number;
  /** Units of one element. */
  element: number;
  list: boolean;
}

export interface Estimate extends Bound {
  /** Units that the evaluation reads and writes. */
  cost: number;
}

/** Maximum number of groups of a user that expressions read. */
export const maxGroups = 1_000;

export const scalar = (size = 1): Bound => ({ size, length: size, element: size, list: false });
export const listOf = (length: number, element = 1): Bound => ({
  size: length * element,
  length,
  element,
  list: true,
});

const costing = (bound: Bound, cost: number): Estimate => ({ ...bound, cost: cost + 1 });

export const literal = (value: unknown): Estimate =>
  costing(scalar(typeof value === 'string' ? Math.max(1, Math.ceil(value.length / maxTextLength)) : 1), 0);

/** Estimate of a value that takes no evaluation. */
export const given = (bound: Bound): Estimate => costing(bound, 0);

const sum = (all: readonly Estimate[], of: 'cost' | 'size'): number =>
  all.reduce((total, estimate) => total + estimate[of], 0);

/** A result of one unit after reading all operands. */
export const reading = (operands: readonly Estimate[]): Estimate =>
  costing(scalar(), sum(operands, 'cost') + sum(operands, 'size'));

/** One of several values. */
export function either(condition: Estimate, branches: readonly [Estimate, Estimate]): Estimate {
  const [one, other] = branches;
  const bound = {
    size: Math.max(one.size, other.size),
    length: Math.max(one.length, other.length),
    element: Math.max(one.element, other.element),
    list: one.list || other.list,
  };
  return costing(bound, condition.cost + one.cost + other.cost);
}

export function concatenation(one: Estimate, other: Estimate): Estimate {
  const size = one.size + other.size;
  const bound =
    one.list || other.list
      ? { size, length: one.length + other.length, element: Math.max(one.element, other.element), list: true }
      : scalar(size);
  return costing(bound, one.cost + other.cost + size);
}

export function aggregate(op: 'list' | 'map', members: readonly Estimate[]): Estimate {
  const size = members.length + sum(members, 'size');
  const element = Math.max(1, ...members.map((member) => member.size));
  const bound = op === 'list' ? { size, length: members.length, element, list: true } : scalar(size);
  return costing(bound, sum(members, 'cost') + size);
}

export const membership = (sought: Estimate, within: Estimate): Estimate =>
  costing(scalar(), sought.cost + within.cost + sought.size * within.length + within.size);

export const element = (of: Estimate, index: Estimate): Estimate =>
  costing(scalar(of.element), of.cost + index.cost);

type Macro = 'map' | 'filter' | 'exists' | 'exists_one' | 'all';

export const isMacro = (name: string): name is Macro =>
  ['map', 'filter', 'exists', 'exists_one', 'all'].includes(name);

/** Evaluates the bodies once for each element. */
export function iteration(macro: Macro, range: Estimate, bodies: readonly Estimate[]): Estimate {
  const cost = range.cost + range.length * (sum(bodies, 'cost') + 1);
  const last = bodies.at(-1)?.size ?? 1;
  if (macro === 'filter') return costing(range, cost);
  if (macro === 'map') return costing(listOf(range.length, last), cost + range.length * last);
  return costing(scalar(), cost);
}

/** Result of a function of strings or numbers. */
export function invocation(
  name: string,
  operands: readonly Estimate[],
  pattern: ASTNode | undefined,
): Estimate {
  const read = reading(operands);
  const [receiver = read, separator = read] = operands;
  // A search compares the pattern at each position.
  const compared =
    pattern?.op === 'value' && typeof pattern.args === 'string' ? pattern.args.length / 16 : 64;
  const searched = Math.ceil(operands.reduce((product, { size }) => product * size, compared));
  switch (name) {
    case 'contains':
    case 'indexOf':
    case 'lastIndexOf':
      return { ...read, cost: read.cost + searched };
    case 'split': {
      const parts = receiver.size * maxTextLength;
      return costing(
        { size: parts, length: parts, element: receiver.size, list: true },
        read.cost + parts + searched,
      );
    }
    case 'join': {
      const size = receiver.size + receiver.length * (operands.length > 1 ? separator.size : 0);
      return costing(scalar(size), read.cost + size);
    }
    case 'size':
    case 'startsWith':
    case 'endsWith':
      return read;
    default:
      return costing(scalar(receiver.size), read.cost + receiver.size);
  }
}
