import type { ASTNode } from '@marcbachmann/cel-js';
import type { Expression } from '../../../src/clients/claims/domain/expression.ts';
import { maxTextLength } from '../../../src/clients/claims/domain/user-attributes.ts';

type Evaluate = (this: ASTNode, evaluator: unknown, node: ASTNode, context: unknown) => unknown;
type Method = (this: unknown, ...operands: unknown[]) => unknown;

const searches = ['includes', 'indexOf', 'lastIndexOf', 'split'];
const readings = ['startsWith', 'endsWith', 'toLowerCase', 'toUpperCase', 'trim', 'substring'];

/** Units of a value as the estimates count them. */
function unitsOf(value: unknown): number {
  if (typeof value === 'string') return value.length / maxTextLength;
  if (Array.isArray(value)) return value.reduce((total: number, each) => total + unitsOf(each), value.length);
  return 1;
}

/** Most units that an operator reads of its operands and writes to its result. */
function unitsOfOperator(op: string, [one, other]: readonly unknown[], result: unknown): number {
  if (op === '+') return Array.isArray(result) ? result.length : unitsOf(result);
  if (op === '==' || op === '!=') return Math.min(unitsOf(one), unitsOf(other));
  if (op === 'in' && Array.isArray(other))
    return other.reduce((total: number, each) => total + Math.min(unitsOf(one), unitsOf(each)), 0);
  return 0;
}

/** Counts the evaluated nodes of the library, and the characters that its functions and operators process. */
class Meter {
  steps = 0;
  readonly #undo: (() => void)[] = [];

  watchNodes(prototype: { evaluate: Evaluate }): void {
    const first = prototype.evaluate;
    const own = new WeakMap<ASTNode, Evaluate>();
    const values = new WeakMap<ASTNode, unknown>();
    const meter = this;
    const counted: Evaluate = function (evaluator, node, context) {
      // The first evaluation of a node chooses its function, and calls this again.
      const chosen = own.get(this);
      if (!chosen) return first.call(this, evaluator, node, context);
      meter.steps += 1;
      const result = chosen.call(this, evaluator, node, context);
      values.set(this, result);
      const operands = Array.isArray(this.args) ? (this.args as ASTNode[]) : [];
      const read = operands.map((each) => (typeof each === 'object' ? values.get(each) : each));
      meter.steps += unitsOfOperator(this.op, read, result);
      return result;
    };
    Object.defineProperty(prototype, 'evaluate', {
      configurable: true,
      get: () => counted,
      set(this: ASTNode, chosen: Evaluate) {
        own.set(this, chosen);
      },
    });
    this.#undo.push(() => {
      Object.defineProperty(prototype, 'evaluate', { value: first, configurable: true, writable: true });
    });
  }

  watchMethods(
    prototype: object,
    names: readonly string[],
    units: (of: unknown, operands: unknown[], result: unknown) => number,
  ) {
    const methods = prototype as Record<string, Method>;
    const meter = this;
    for (const name of names) {
      const method = methods[name] as Method;
      methods[name] = function (...operands) {
        const result = method.apply(this, operands);
        meter.steps += units(this, operands, result);
        return result;
      };
      this.#undo.push(() => {
        methods[name] = method;
      });
    }
  }

  stop(): void {
    for (const undo of this.#undo.splice(0)) undo();
  }
}

/** Returns the steps of one evaluation, in the unit of the estimated cost. */
export function stepsOf(expression: Expression, prototype: object, values: Record<string, unknown>): number {
  const meter = new Meter();
  meter.watchNodes(prototype as { evaluate: Evaluate });
  const lengthOf = (text: unknown): number => String(text).length;
  meter.watchMethods(String.prototype, readings, (text) => (text as string).length / maxTextLength);
  // In the worst case a search compares the whole pattern at each position.
  meter.watchMethods(
    String.prototype,
    searches,
    (text, [pattern]) => (lengthOf(text) * lengthOf(pattern)) / maxTextLength,
  );
  meter.watchMethods(
    Array.prototype,
    ['join'],
    (_list, _operands, result) => lengthOf(result) / maxTextLength,
  );
  try {
    expression.evaluate(values);
  } catch {
    // Its steps count, too.
  } finally {
    meter.stop();
  }
  return meter.steps;
}
