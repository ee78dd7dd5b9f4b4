import { createHash } from 'node:crypto';
import { buildSubgraphSchema } from '@apollo/subgraph';
import {
  execute,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  parse,
  validate,
} from 'graphql';
import type { SubgraphRequest, SubgraphResponse } from '../../src/subgraphs/graph/subgraph-source.ts';

const federation =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@requires", "@provides", "@shareable"])';

/** A graph with every case in which a planner requests fields that the client did not select. */
export const worldTypeDefs = {
  things: `${federation}
    type Query { things(first: Int): [Thing] thing(id: ID!): Thing found: [Found] node(id: ID!): Node }
    type Mutation { rename(id: ID!): Thing touch(id: ID!): Node }
    interface Node { id: ID! }
    interface Labelled { label: String title: String! }
    union Found = Thing | Place | Part
    scalar Anything
    type Thing implements Node & Labelled @key(fields: "id") @key(fields: "sku") {
      id: ID! sku: String! name: String! label: String title: String! any: Anything parts: [Part] owner: Person place: Place other: Thing nodes: [Node]
    }
    type Part implements Labelled { id: ID label: String title: String! of: Thing }
    type Place implements Node @key(fields: "country { code } zip") { id: ID! zip: String! country: Country! title: String!  near: [Place] }
    type Country @shareable { code: String! name: String! }
    type Person @key(fields: "id") { id: ID! nick: String @shareable }`,
  people: `${federation}
    type Query { people: [Person] first: Person @provides(fields: "nick") }
    type Person @key(fields: "id") { id: ID! email: String! nick: String @external friends: [Person] things: [Thing] home: Place }
    type Thing @key(fields: "id") { id: ID! price: String tags: [String] name: String! @external badge: String @requires(fields: "name") owned: Person }
    type Place @key(fields: "country { code } zip") { country: Country! zip: String! visits: String visitors: [Person] }
    type Country @shareable { code: String! name: String! }`,
  stock: `${federation}
    type Query { shelf: Thing }
    type Thing @key(fields: "sku") { sku: String! stock: String supplier: Person price2: String @requires(fields: "price") price: String @external }
    type Person @key(fields: "id") { id: ID! supplies: [Thing] }`,
};

interface Source {
  __typename: string;
  id: string;
  /** The representation from which the object was resolved. */
  given?: Record<string, unknown>;
}

const number = (...of: unknown[]): number =>
  createHash('sha256').update(JSON.stringify(of)).digest().readUInt32LE();
const entities = ['Thing', 'Person', 'Place'];
const known = (typeName: string, id: unknown): id is string =>
  typeof id === 'string' && new RegExp(`^${typeName} [0-4]$`).test(id);

/** Whether nullable fields fail occasionally. */
export const world = { fails: false };

const requirements: Record<string, string> = { badge: 'name', price2: 'price' };

/** Resolves every field, with the same value in the whole graph and in each subgraph. */
const resolve: GraphQLFieldResolver<Source | undefined, unknown> = (source, args, _context, info) => {
  const { fieldName } = info;
  const type = info.parentType.name;
  const id = source?.id ?? '';
  if (type === 'Thing' && requirements[fieldName]) {
    const needed = requirements[fieldName] as string;
    const value = source?.given ? source.given[needed] : leafOf('Thing', id, needed, {}, true);
    return `${fieldName} of ${JSON.stringify(value ?? null)}`;
  }
  if (info.parentType === info.schema.getMutationType() || fieldName === 'node' || fieldName === 'thing') {
    return entity(type, fieldName, args.id);
  }
  return made(info.returnType, type, id, fieldName, args, true);
};

const entity = (...about: unknown[]): Source => {
  const at = number(...about);
  return { __typename: at % 2 ? 'Thing' : 'Thing', id: `Thing ${at % 5}` };
};

function leafOf(type: string, id: string, field: string, args: object, isNullable: boolean): unknown {
  if (field === 'id') return id;
  if (field === 'sku') return `sku-${id}`;
  if (field === 'zip') return `zip-${id}`;
  if (field === 'code') return `code-${id}`;
  if (field === 'any') return { id: `any ${id}`, __typename: 'Anything', as_id: 1, nested: [{ name: 1 }] };
  const at = number(type, id, field, args, 'value');
  if (isNullable && at % 7 === 0) return null;
  // Fields that others require never fail: the planner's failure to read them is not an error of the client's
  // selection.
  const required = Object.values(requirements).includes(field);
  if (isNullable && world.fails && !required && at % 3 === 0) throw new Error(`${field} of ${id} failed`);
  return `${field} of ${id} ${JSON.stringify(args)}`;
}

function made(
  returned: GraphQLOutputType,
  type: string,
  id: string,
  field: string,
  args: object,
  isNullable: boolean,
): unknown {
  if (isNonNullType(returned)) return made(returned.ofType, type, id, field, args, false);
  const seed = number(type, id, field, args);
  if (isListType(returned)) {
    return Array.from({ length: seed % 4 }, (_, index) =>
      made(returned.ofType, type, id, field, { ...args, index }, true),
    );
  }
  const named = getNamedType(returned);
  if (isLeafType(named)) return leafOf(type, id, field, args, isNullable);
  if (isNullable && seed % 9 === 0) return null;
  if (named.name === 'Country') return { __typename: 'Country', id };
  const of = isAbstractType(named)
    ? (abstract[named.name] as readonly string[])[seed % (abstract[named.name] as readonly string[]).length]
    : named.name;
  return { __typename: of, id: entities.includes(of as string) ? `${of} ${seed % 5}` : `${of} of ${id}` };
}

const abstract: Record<string, readonly string[]> = {
  Node: ['Thing', 'Place'],
  Labelled: ['Thing', 'Part'],
  Found: ['Thing', 'Place', 'Part'],
};

function found(representation: Record<string, unknown>): Source | null {
  const { __typename, id, sku, zip, country } = representation as Record<string, string>;
  const stated = id ?? (sku ?? zip ?? '').replace(/^(sku|zip)-/, '');
  if (!known(__typename as string, stated)) return null;
  const code = (country as unknown as { code?: unknown } | undefined)?.code;
  if (zip !== undefined && code !== `code-${stated}`) return null;
  return { __typename: __typename as string, id: stated, given: representation };
}

const schemas = new Map<string, GraphQLSchema>(
  Object.entries(worldTypeDefs).map(([name, sdl]) => [
    name,
    buildSubgraphSchema([
      {
        typeDefs: parse(sdl),
        resolvers: Object.fromEntries(entities.map((type) => [type, { __resolveReference: found }])) as never,
      },
    ]),
  ]),
);

/** Returns the response of one subgraph, executed by graphql-js. */
export async function answerOf(
  subgraph: string,
  { query, variables }: SubgraphRequest,
): Promise<SubgraphResponse> {
  const schema = schemas.get(subgraph) as GraphQLSchema;
  const document = parse(query);
  const mistakes = validate(schema, document);
  if (mistakes.length > 0) throw new Error(`${query}: ${mistakes.map(String).join('\n')}`);
  const result = await execute({
    schema,
    document,
    ...(variables ? { variableValues: variables } : {}),
    fieldResolver: (source, args, context, info) =>
      info.fieldName === '_entities' || info.fieldName === '_service'
        ? undefined
        : resolve(source as Source | undefined, args, context, info),
  });
  const text = JSON.stringify(result);
  const answer = JSON.parse(text) as SubgraphResponse;
  return answer.errors ? answer : { ...answer, text };
}

/** Returns the result of the whole graph, executed by graphql-js. */
export async function executedWhole(schema: GraphQLSchema, query: string, variables: object) {
  const result = await execute({
    schema,
    document: parse(query),
    variableValues: { ...variables },
    fieldResolver: resolve as GraphQLFieldResolver<unknown, unknown>,
  });
  return JSON.parse(JSON.stringify(result)) as {
    data?: unknown;
    errors?: { message: string; path: (string | number)[] }[];
  };
}
