import { Environment, type ObjectSchema, type ParseResult } from '@marcbachmann/cel-js';
import { type Analysis, analyse, groupsBound, objectBound } from './expression-analysis.ts';
import { type Bound, listOf } from './expression-cost.ts';
import { RejectedExpression } from './rejected-expression.ts';
import { attributeSchema } from './user-attributes.ts';

/** Holder of a mapping, which determines the variables of its expressions. */
export type MappingHolder = 'api' | 'client';

/** A checked expression in CEL, the Common Expression Language. */
export interface Expression {
  analysis: Analysis;
  /** @throws the error of the library for a missing value or a failed function */
  evaluate: (values: Readonly<Record<string, unknown>>) => unknown;
}

/** Maximum cost of the evaluation of one expression, and of all of an API or a client, in units of `Bound`. */
export const maxCost = { expression: 100_000, all: 200_000 };

/** Maximum number of roles of an API. */
const maxRoles = 50;

const shared: ReadonlyMap<string, Bound> = new Map([
  ['groups', groupsBound],
  ['groupIds', groupsBound],
  ['client', objectBound],
]);

const variables: Readonly<Record<MappingHolder, ReadonlyMap<string, Bound>>> = {
  client: shared,
  api: new Map([...shared, ['roles', listOf(maxRoles)], ['api', objectBound]]),
};

const limits = {
  maxAstNodes: 250,
  maxDepth: 24,
  maxListElements: 100,
  maxMapEntries: 50,
  maxCallArguments: 4,
};

const common = (): Environment =>
  new Environment({ homogeneousAggregateLiterals: false, limits })
    .registerVariable({ name: 'user', schema: attributeSchema() as ObjectSchema })
    .registerVariable('groups', 'list<string>')
    .registerVariable('groupIds', 'list<string>')
    .registerVariable({ name: 'client', schema: { id: 'string', name: 'string' } });

const environments: Readonly<Record<MappingHolder, Environment>> = {
  client: common(),
  api: common()
    .registerVariable('roles', 'list<string>')
    .registerVariable({ name: 'api', schema: { identifier: 'string' } }),
};

/** Checks syntax, functions, cost and types of an expression. @throws RejectedExpression */
export function compile(text: string, holder: MappingHolder): Expression {
  const program = parsed(text, holder);
  const analysis = analyse(program.ast, variables[holder]);
  if (analysis.cost > maxCost.expression) {
    throw new RejectedExpression(
      'it is too expensive: for each element, it must not combine lists with each other or search long texts.',
    );
  }
  const { valid, error } = program.check();
  if (!valid) throw new RejectedExpression(`${error?.summary ?? 'its types do not match'}.`);
  return { analysis, evaluate: (values) => program({ ...values }) };
}

function parsed(text: string, holder: MappingHolder): ParseResult {
  try {
    return environments[holder].parse(text);
  } catch (error) {
    throw new RejectedExpression(`${summaryOf(error)}.`);
  }
}

const textOf = (error: unknown, name: 'code' | 'summary'): string | undefined => {
  const value = (error as Record<string, unknown> | null)?.[name];
  return typeof value === 'string' ? value : undefined;
};

/** Returns the message of the library without the text of the expression. It can contain values. */
export const summaryOf = (error: unknown): string => textOf(error, 'summary') ?? 'the expression is invalid';

/** Reports whether an expression failed because an attribute or an element is absent. */
export const isAbsence = (error: unknown): boolean =>
  ['no_such_key', 'index_out_of_bounds'].includes(textOf(error, 'code') ?? '');
