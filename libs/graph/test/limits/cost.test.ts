import { describe, expect, test } from '@jest/globals';
import {
  buildSchema,
  type DocumentNode,
  execute,
  type GraphQLOutputType,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { expectCpuBelow } from '../../../service/test/support/cpu-time.ts';
import { costOf } from '../../src/limits/cost.ts';

const schema = buildSchema(`
  type Query { users(first: Int): UserConnection! user(id: ID): User things: [Thing!]! node: Node any: Any }
  type UserConnection { edges: [Edge!]! totalCount: Int! }
  type Edge { cursor: String! node: User! }
  interface Node { id: ID! label(size: Int): String! }
  type User implements Node { id: ID! label(size: Int): String! name: String! friends(first: Int): [User!]! groups(first: Int): [Group!]! }
  type Group implements Node { id: ID! label(size: Int): String! title: String! members(first: Int): [User!]! }
  type Thing { id: ID! owner: User! parts: [Thing!]! }
  union Any = User | Group | Thing
`);

const cost = (query: string, variables?: Record<string, unknown>): number => {
  const document = parse(query);
  const operation = document.definitions.find((node): node is OperationDefinitionNode => 'operation' in node);
  if (!operation) throw new Error('no operation');
  return costOf({ schema, document, operation, variables });
};

describe('a repeated selection is charged once, because it is answered once', () => {
  const users = 'users(first: 10) { edges { node { id name } } }';

  test.each([
    ['the same field', '{ user { id id id } }', '{ user { id } }'],
    ['the same page', `{ ${users} ${users} ${users} }`, `{ ${users} }`],
    ['by one alias', `{ a: ${users} a: ${users} }`, `{ a: ${users} }`],
    ['once more in a fragment', `{ ${users} ...F } fragment F on Query { ${users} }`, `{ ${users} }`],
    [
      'in fragments within fragments',
      `{ ...F ...G } fragment F on Query { ...G ${users} } fragment G on Query { ${users} }`,
      `{ ${users} }`,
    ],
    [
      'in a fragment spread twice',
      '{ user { ...F ...F friends(first: 50) { ...F ...F } } } fragment F on User { id name }',
      '{ user { id name friends(first: 50) { id name } } }',
    ],
    [
      'with parts of it in each',
      '{ users(first: 10) { edges { node { id } } } users(first: 10) { edges { node { id name } cursor } } }',
      '{ users(first: 10) { edges { node { id name } cursor } } }',
    ],
    ['by way of an interface', '{ user { label ... on Node { label id } id } }', '{ user { label id } }'],
    ['the type', '{ user { __typename __typename } }', '{ user { __typename } }'],
  ])('A repeated selection is charged once: %s.', (_what, often, once) => {
    for (const query of [often, once]) expect(validate(schema, parse(query))).toEqual([]);
    expect(cost(often)).toBe(cost(once));
  });

  test.each([
    ['another name', `{ a: ${users} b: ${users} }`, 2],
    [
      'other arguments, by another name',
      `{ ${users} b: users(first: 10) { edges { node { id name } } } }`,
      2,
    ],
  ])('A selection with %s is charged separately.', (_what, query, times) => {
    expect(cost(query)).toBe(times * cost(`{ ${users} }`));
  });

  test('Fields of several types are all charged, but of those with the same name only the costliest.', () => {
    const group = '... on Group { members(first: 50) { id } }';
    const user = '... on User { friends(first: 10) { id } }';
    expect(cost(`{ node { ${group} ${user} } }`)).toBe(
      cost(`{ node { ${group} } }`) + cost(`{ node { ${user} } }`) - 1,
    );
    // One name, of which each object has one value.
    const named =
      '... on Group { x: members(first: 50) { id } } ... on User { x: friends(first: 10) { id } }';
    expect(cost(`{ node { ${named} } }`)).toBe(
      cost('{ node { ... on Group { x: members(first: 50) { id } } } }'),
    );
  });

  test('Fragments that reach the same fields on countless paths are measured quickly and cost as much as their answer.', async () => {
    const fragments = (levels: number) =>
      `${Array.from(
        { length: levels },
        (_, index) =>
          `fragment f${index} on User { a: friends(first: 1) { ...f${index + 1} } b: friends(first: 1) { ...f${index + 1} ...f${index + 1} } }`,
      ).join(' ')} fragment f${levels} on User { id }`;
    await expectCpuBelow(300, () => {
      expect(cost(`{ user { ...f0 } } ${fragments(40)}`)).toBeGreaterThan(2 ** 40);
      expect(cost(`{ user { ...f0 } } ${fragments(3)}`)).toBe(1 + 2 * (2 + 2 * (2 + 2 * 3)));
    });
  });

  test('A document that takes too long to measure costs too much.', async () => {
    // Each path of names leads to a separate set of selections.
    const names = 'abcdefgh'.split('');
    const level = (depth: number): string =>
      depth === 0
        ? '{ id }'
        : `{ ${names.map((name) => `${name}: friends(first: 1) { ...l${depth - 1} ...${name}${depth - 1} }`).join(' ')} }`;
    const fragments = Array.from({ length: 12 }, (_, depth) =>
      [
        `fragment l${depth} on User ${level(depth)}`,
        ...names.map(
          (name) =>
            `fragment ${name}${depth} on User { ${depth === 0 ? 'id' : `${name}: friends(first: 1) { ...${name}${depth - 1} }`} }`,
        ),
      ].join(' '),
    ).join(' ');
    await expectCpuBelow(2_000, () => {
      expect(cost(`{ user { ...l11 } } ${fragments}`)).toBeGreaterThan(100_000);
    });
  });
});

/** Repeatable random numbers (mulberry32). */
function randomness(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** Returns random selections with many repetitions. */
function selectionOf(typeName: string, depth: number, below: (limit: number) => number): string {
  const type = schema.getType(typeName);
  const parts = Array.from({ length: 2 + below(4) }, (): string => {
    if (below(12) === 0 || isUnionType(type)) {
      const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : [];
      const on = possible[below(Math.max(1, possible.length))]?.name ?? typeName;
      return depth > 0 ? `... on ${on} ${selectionOf(on, depth - 1, below)}` : '__typename';
    }
    if (!isObjectType(type) && !isAbstractType(type)) return '__typename';
    const fields = Object.values('getFields' in type ? type.getFields() : {}).filter(
      (field) => depth > 0 || !isCompositeType(getNamedType(field.type)),
    );
    const field = fields[below(fields.length)];
    if (!field) return '__typename';
    const size = field.args.some(({ name }) => name === 'first') ? '(first: 3)' : '';
    const named = getNamedType(field.type);
    const alias = below(6) === 0 ? `x${below(2)}: ` : '';
    return `${alias}${field.name}${size}${isCompositeType(named) ? ` ${selectionOf(named.name, depth - 1, below)}` : ''}`;
  });
  return `{ ${parts.join(' ')} }`;
}

/**
 * Returns the number of values in the largest answer of graphql-js: lists of the estimated length, and objects of every
 * type in turn.
 */
async function valuesIn(document: DocumentNode): Promise<number> {
  let most = 0;
  for (let choice = 0; choice < 3; choice += 1) {
    const make = (type: GraphQLOutputType, first: number | undefined): unknown => {
      if (isNonNullType(type)) return make(type.ofType, first);
      if (isListType(type)) return Array.from({ length: first ?? 5 }, () => make(type.ofType, undefined));
      if (isAbstractType(type)) {
        const possible = schema.getPossibleTypes(type);
        return { __typename: possible[choice % possible.length]?.name };
      }
      if (isCompositeType(type)) return { __typename: type.name };
      return type === schema.getType('Int') ? 1 : 'x';
    };
    const { data, errors } = await execute({
      schema,
      document,
      fieldResolver: (source: { page?: number } | undefined, args, _context, info) => {
        const value = make(info.returnType, (args as { first?: number }).first ?? source?.page);
        return info.fieldName === 'users' ? { ...(value as object), page: args.first ?? 20 } : value;
      },
    });
    if (errors) throw errors[0];
    most = Math.max(most, counted(data) - 1);
  }
  return most;
}

/** Counts values: a list and its entries are values; the object of a field is one value with the field. */
const counted = (value: unknown): number =>
  Array.isArray(value)
    ? 1 + value.reduce((sum: number, each) => sum + counted(each), 0)
    : typeof value === 'object' && value !== null
      ? 1 + Object.values(value).reduce((sum: number, each) => sum + counted(each), 0)
      : 1;

describe('the estimate', () => {
  test('The cost estimate is an upper bound of the answer of graphql-js, with any repeated selections.', async () => {
    const below = randomness(7);
    let compared = 0;
    let repeated = 0;
    while (compared < 80) {
      const query = selectionOf('Query', 3, below);
      const document = parse(query);
      if (validate(schema, document).length > 0) continue;
      const estimate = cost(query);
      if (estimate > 3_000) continue;
      compared += 1;
      const values = await valuesIn(document);
      expect({ query, values: values <= estimate }).toEqual({ query, values: true });
      if (!query.includes('... on')) {
        // It is exact without abstract types.
        expect({ query, estimate }).toEqual({ query, estimate: values });
        repeated += 1;
      }
    }
    expect(repeated).toBeGreaterThan(5);
  });
});
