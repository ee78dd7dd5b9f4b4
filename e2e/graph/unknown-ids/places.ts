import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';

/** Public schema of the graph. A test keeps the file current. */
export const api = buildSchema(
  readFileSync(new URL('../../../gateway/released-api.graphql', import.meta.url), 'utf8'),
);

/** Position of an id in the arguments of a root field. */
export interface Place {
  root: 'query' | 'mutation' | 'subscription';
  field: GraphQLField<unknown, unknown>;
  /** Names of the argument and of the fields within it. */
  path: readonly string[];
}

export const nameOf = ({ root, field, path }: Place): string => `${root} ${field.name}(${path.join('.')}:)`;

type Given = GraphQLArgument | GraphQLInputField;

function idsWithin(given: readonly Given[], path: readonly string[], seen: readonly string[]): string[][] {
  return given.flatMap(({ name, type }) => {
    const named = getNamedType(type);
    if (named.name === 'ID') return [[...path, name]];
    if (!isInputObjectType(named) || seen.includes(named.name)) return [];
    return idsWithin(Object.values(named.getFields()), [...path, name], [...seen, named.name]);
  });
}

/** Every position of the schema that takes an id, including later additions. */
export const places: readonly Place[] = (
  [
    ['query', api.getQueryType()],
    ['mutation', api.getMutationType()],
    ['subscription', api.getSubscriptionType()],
  ] as const
).flatMap(([root, type]) =>
  Object.values(type?.getFields() ?? {}).flatMap((field) =>
    idsWithin(field.args, [], []).map((path) => ({ root, field, path })),
  ),
);

/** Values of other arguments as GraphQL literals, by path of the argument. */
export type Others = Readonly<Record<string, string>>;

/** Writes the root field with an id in the position and with all other required arguments. */
export function written({ field, path }: Place, id: string, others: Others): string {
  const given = valuesOf(field.args, [], path, id, others);
  return `${field.name}(${given})${selectionOf(field.type)}`;
}

function valuesOf(
  list: readonly Given[],
  at: readonly string[],
  target: readonly string[],
  id: string,
  others: Others,
): string {
  return list
    .flatMap((given) => {
      const here = [...at, given.name];
      const isOnTheWay = here.every((name, index) => target[index] === name);
      const other = others[here.join('.')];
      const isNeeded = given.type instanceof GraphQLNonNull && given.defaultValue === undefined;
      if (isOnTheWay) return [`${given.name}: ${literalOf(given.type, here, target, id, others)}`];
      if (other !== undefined) return [`${given.name}: ${other}`];
      return isNeeded ? [`${given.name}: ${literalOf(given.type, here, target, id, others)}`] : [];
    })
    .join(', ');
}

function literalOf(
  type: GraphQLInputType,
  here: readonly string[],
  target: readonly string[],
  id: string,
  others: Others,
): string {
  const nullable = getNullableType(type);
  if (here.join() === target.join()) return isListType(nullable) ? `[${literal(id)}]` : literal(id);
  if (isListType(nullable)) return '[]';
  if (isInputObjectType(nullable)) {
    return `{ ${valuesOf(Object.values(nullable.getFields()), here, target, id, others)} }`;
  }
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name ?? '';
  const scalars: Record<string, string> = { Int: '1', Float: '1', Boolean: 'false' };
  return scalars[getNamedType(nullable).name] ?? '"x"';
}

/** Writes a string literal: control characters are escaped as in JSON. */
const literal = (text: string): string => JSON.stringify(text);

function selectionOf(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (!isObjectType(named)) return ' { __typename }';
  const fields = (named as GraphQLObjectType).getFields();
  if (fields.problems) return ' { problems { __typename message path } }';
  return fields.edges ? ' { edges { cursor } }' : ' { __typename }';
}
