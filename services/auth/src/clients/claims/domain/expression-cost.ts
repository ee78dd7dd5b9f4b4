import { RejectedExpression } from './rejected-expression.ts';
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
  /** Characters of the longest string in it. */
  text: number;
  list: boolean;
  /** Set if all elements together have at most `size` units, though one may have as many. */
  divided?: true;
}

export interface Estimate extends Bound {
  /** Units that the evaluation reads and writes. */
  cost: number;
}

/** Maximum number of groups of a user that expressions read. */
export const maxGroups = 1_000;

/** Maximum number of characters of a string that a function or an operator reads. Results can be longer. */
const maxOperandLength = 16_384;
/** Maximum number of characters of a number or boolean as a string. */
const maxNumberLength = 32;
/** Changing the case of a character gives at most three (ΐ). */
const maxCaseExpansion = 3;

const unitsOf = (characters: number): number => Math.max(1, Math.ceil(characters / maxTextLength));

export const scalar = (size = 1, text = size * maxTextLength): Bound => ({
  size,
  length: size,
  element: size,
  text,
  list: false,
});
export const listOf = (length: number, element = 1, text = element * maxTextLength): Bound => ({
  size: length * element,
  length,
  element,
  text,
  list: true,
});

const costing = (bound: Bound, cost: number): Estimate => ({ ...bound, cost: cost + 1 });

const textOf = (characters: number): Bound => scalar(unitsOf(characters), characters);

export const literal = (value: unknown): Estimate =>
  costing(textOf(typeof value === 'string' ? value.length : maxNumberLength), 0);

/** Steps to read an attribute: `user`, `attributes` and its name. */
const stepsOfAttribute = 4;

/** Estimate of a variable. */
export const given = (bound: Bound): Estimate => costing(bound, 0);

/** Estimate of a member of a variable. */
export const givenMember = (bound: Bound): Estimate => costing(bound, stepsOfAttribute);

const sum = (all: readonly Estimate[], of: 'cost' | 'size' | 'text'): number =>
  all.reduce((total, estimate) => total + estimate[of], 0);

const longest = (all: readonly Bound[]): number => Math.max(0, ...all.map(({ text }) => text));

/** @throws RejectedExpression */
function requireShort(operands: readonly Bound[]): void {
  if (longest(operands) > maxOperandLength) {
    throw new RejectedExpression(
      `a function or an operator must not read a text that can have more than ${maxOperandLength} characters.`,
    );
  }
}

/** A result of one unit after reading all operands. @throws RejectedExpression */
export function reading(operands: readonly Estimate[]): Estimate {
  requireShort(operands);
  return costing(textOf(maxNumberLength), sum(operands, 'cost') + sum(operands, 'size'));
}

/** One of several values. */
export function either(condition: Estimate, branches: readonly [Estimate, Estimate]): Estimate {
  const [one, other] = branches;
  const bound = {
    size: Math.max(one.size, other.size),
    length: Math.max(one.length, other.length),
    element: Math.max(one.element, other.element),
    text: longest(branches),
    list: one.list || other.list,
  };
  return costing(bound, condition.cost + one.cost + other.cost);
}

/** @throws RejectedExpression */
export function concatenation(one: Estimate, other: Estimate): Estimate {
  requireShort([one, other]);
  const size = one.size + other.size;
  // Values without a known type can be strings.
  const text = one.text + other.text;
  const length = one.length + other.length;
  const bound =
    one.list || other.list
      ? { size, length, element: Math.max(one.element, other.element), text, list: true }
      : scalar(size, text);
  return costing(bound, one.cost + other.cost + size);
}

export function aggregate(op: 'list' | 'map', members: readonly Estimate[]): Estimate {
  const size = members.length + sum(members, 'size');
  const element = Math.max(1, ...members.map((member) => member.size));
  const text = longest(members);
  const bound =
    op === 'list' ? { size, length: members.length, element, text, list: true } : scalar(size, text);
  return costing(bound, sum(members, 'cost') + size);
}

/** @throws RejectedExpression */
export function membership(sought: Estimate, within: Estimate): Estimate {
  requireShort([sought, within]);
  const compared = sought.size * within.length + within.size;
  return costing(textOf(maxNumberLength), sought.cost + within.cost + compared);
}

export const element = (of: Estimate, index: Estimate): Estimate =>
  costing(elementOf(of), of.cost + index.cost);

/** Bound of an element, which can be a list. */
export const elementOf = (of: Bound): Bound => scalar(of.element, of.text);

type Macro = 'map' | 'filter' | 'exists' | 'exists_one' | 'all';

export const isMacro = (name: string): name is Macro =>
  ['map', 'filter', 'exists', 'exists_one', 'all'].includes(name);

/** Steps of the library for each element, besides those of the bodies, and for the whole loop. */
const stepsOfIteration = 4;

/** Evaluates the bodies once for each element. */
export function iteration(macro: Macro, range: Estimate, bodies: readonly Estimate[]): Estimate {
  const each = sum(bodies, 'cost') + stepsOfIteration;
  const cost = range.cost + range.length * each + stepsOfIteration;
  const last = bodies.at(-1);
  const size = last?.size ?? 1;
  if (macro === 'filter') return costing(range, cost);
  if (macro === 'map') {
    return costing(listOf(range.length, size, last?.text), cost + range.length * size);
  }
  return costing(textOf(maxNumberLength), cost);
}

/**
 * Evaluates the bodies once for each element of a divided list. The cost of a body grows at least in proportion to the
 * size of its element, so it is highest if one element has all units, besides those of one unit.
 */
export function dividedIteration(
  macro: Macro,
  range: Estimate,
  { ofUnit, ofAll }: Record<'ofUnit' | 'ofAll', readonly Estimate[]>,
): Estimate {
  const small = iteration(macro, range, ofUnit);
  const large = iteration(macro, { ...range, length: 1, cost: 0 }, ofAll);
  const cost = small.cost + large.cost;
  if (macro !== 'map') return { ...small, cost };
  return {
    ...small,
    size: small.size + large.size,
    element: Math.max(small.element, large.element),
    text: longest([small, large]),
    cost,
  };
}

/** Result of a function of strings or numbers. @throws RejectedExpression */
export function invocation(name: string, operands: readonly Estimate[]): Estimate {
  const read = reading(operands);
  const [receiver = read, operand] = operands;
  switch (name) {
    case 'contains':
    case 'indexOf':
    case 'lastIndexOf':
      return { ...read, cost: read.cost + searchCost(receiver, operand) };
    case 'split': {
      const parts = receiver.text + 1;
      const bound = { ...listOf(parts, unitsOf(receiver.text), receiver.text), size: parts + receiver.size };
      return costing(bound, read.cost + searchCost(receiver, operand) + bound.size);
    }
    case 'join': {
      const joined = textOf(receiver.length * (receiver.text + (operand?.text ?? 0)));
      return costing(joined, read.cost + joined.size);
    }
    case 'size':
    case 'startsWith':
    case 'endsWith':
      return read;
    case 'lowerAscii':
    case 'upperAscii': {
      const changed = textOf(receiver.text * maxCaseExpansion);
      return costing(changed, read.cost + changed.size);
    }
    case 'string':
      return costing(textOf(Math.max(receiver.text, maxNumberLength)), read.cost + receiver.size);
    default:
      return costing({ ...receiver }, read.cost + receiver.size);
  }
}

/** A search compares the whole pattern at each position in the worst case. */
const searchCost = (within: Bound, pattern: Bound | undefined): number =>
  Math.ceil((within.text * Math.max(1, pattern?.text ?? 1)) / maxTextLength);
