import { createHash } from 'node:crypto';
import {
  type GraphQLCompositeType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql';
import type { SubgraphRequest, SubgraphResponse } from '../../src/subgraphs/graph/subgraph-source.ts';

/** Deterministic random numbers (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}

const ordinaryAliases = { percent: 8, names: ['a', 'b', 'toString'] };
const given = { first: 2, id: 'x' };

/** Generates operations; some of them are invalid. */
export class Operations {
  readonly #schema: GraphQLSchema;
  readonly #random: Random;
  readonly #aliases: { percent: number; names: readonly string[] };

  /** @param aliases response names, and the percentage of fields that get one */
  constructor(schema: GraphQLSchema, random: Random, aliases = ordinaryAliases) {
    this.#schema = schema;
    this.#random = random;
    this.#aliases = aliases;
  }

  next(): { query: string; variables: Record<string, unknown> } {
    const selections = this.#selections(this.#schema.getQueryType() as GraphQLCompositeType, 3);
    const named = this.#random.chance(25)
      ? ` fragment of on Thing ${this.#selections(this.#schema.getType('Thing') as GraphQLCompositeType, 1)}`
      : '';
    const query = named ? `${selections.replace(/\{ id/, '{ ...of id')}${named}` : selections;
    const variables = ['first', 'id'].filter((name) => query.includes(`$${name}`));
    if (variables.length === 0) return { query, variables: {} };
    const types: Record<string, string> = { first: 'Int', id: 'ID!' };
    const definitions = variables.map((name) => `$${name}: ${types[name]}`).join(', ');
    return {
      query: `query(${definitions}) ${query}`,
      variables: Object.fromEntries(variables.map((name) => [name, given[name as 'first' | 'id']])),
    };
  }

  #selections(type: GraphQLCompositeType, depth: number): string {
    const parts = Array.from({ length: 1 + this.#random.below(4) }, () => this.#selection(type, depth));
    return `{ ${parts.join(' ')} }`;
  }

  #selection(type: GraphQLCompositeType, depth: number): string {
    const random = this.#random;
    if (random.chance(12)) return random.chance(70) ? '__typename' : 'kind: __typename';
    if (depth > 0 && random.chance(isUnionType(type) ? 90 : 12)) {
      const choices = isAbstractType(type)
        ? this.#schema.getPossibleTypes(type)
        : Object.values(this.#schema.getTypeMap()).filter(
            (of) => isAbstractType(of) && isObjectType(type) && this.#schema.isSubType(of, type),
          );
      const on = choices.length > 0 ? random.of(choices as readonly GraphQLCompositeType[]) : type;
      return `... on ${on.name} ${this.#selections(on, depth - 1)}`;
    }
    if (isUnionType(type)) return '__typename';
    const fields = Object.values(type.getFields()).filter(
      (field) => depth > 0 || !isCompositeType(getNamedType(field.type)),
    );
    if (fields.length === 0) return '__typename';
    const field = random.of(fields);
    const needed = field.args.filter((argument) => isNonNullType(argument.type) || random.chance(50));
    const written = needed.map(({ name }) => `${name}: $${name}`).join(', ');
    const below = getNamedType(field.type);
    return [
      random.chance(this.#aliases.percent) ? `${random.of(this.#aliases.names)}: ` : '',
      field.name,
      written ? `(${written})` : '',
      random.chance(3) ? ' @skip(if: false)' : '',
      isCompositeType(below) ? ` ${this.#selections(below, depth - 1)}` : '',
    ].join('');
  }
}

export type Fault = (typeof faults)[number];
export const faults = [
  'properly',
  'with nulls',
  'with values of other types',
  'without some values',
  'with errors',
  'with unknown types',
] as const;

/** Generates responses of subgraphs: well-formed except for the fault, and the same for equal requests. */
export class Answers {
  readonly #schema: GraphQLSchema;
  readonly #fault: Fault;
  seed = 0;

  constructor(schema: GraphQLSchema, fault: Fault) {
    this.#schema = schema;
    this.#fault = fault;
  }

  to(subgraph: string, { query, variables }: SubgraphRequest): SubgraphResponse {
    const digest = createHash('sha256').update(JSON.stringify([this.seed, subgraph, query, variables]));
    const answer = new Answer(this.#schema, new Random(digest.digest().readInt32LE()), this.#fault);
    const operation = parse(query).definitions.find(
      (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
    );
    const set = operation?.selectionSet as SelectionSetNode;
    const [first] = set.selections;
    const isOfEntities = first?.kind === Kind.FIELD && first.name.value === '_entities';
    const representations = (variables?.representations ?? []) as { __typename: string }[];
    const data = isOfEntities
      ? {
          _entities: representations.map(({ __typename }) =>
            answer.object(__typename, first.selectionSet as SelectionSetNode),
          ),
        }
      : answer.object('Query', set);
    const text = JSON.stringify({ data });
    if (this.#fault === 'with errors' && new Random(text.length).chance(50)) {
      const path = isOfEntities ? ['_entities', 0, 'name'] : ['things', 0];
      return { data, errors: [{ message: 'No.', path, extensions: { code: 'FORBIDDEN' } }] };
    }
    return { data, text };
  }
}

class Answer {
  readonly #schema: GraphQLSchema;
  readonly #random: Random;
  readonly #fault: Fault;

  constructor(schema: GraphQLSchema, random: Random, fault: Fault) {
    this.#schema = schema;
    this.#random = random;
    this.#fault = fault;
  }

  #goesWrong(fault: Fault): boolean {
    return this.#fault === fault && this.#random.chance(4);
  }

  object(
    typeName: string,
    set: SelectionSetNode,
    into: Record<string, unknown> = {},
  ): Record<string, unknown> {
    const type = this.#schema.getType(typeName);
    for (const selection of set.selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition?.name.value ?? typeName;
        const on = this.#schema.getType(condition);
        const applies =
          condition === typeName ||
          (isAbstractType(on) && isObjectType(type) && this.#schema.isSubType(on, type));
        if (applies) this.object(typeName, selection.selectionSet, into);
      } else if (selection.kind === Kind.FIELD && isObjectType(type)) {
        const key = selection.alias?.value ?? selection.name.value;
        if (this.#goesWrong('without some values')) continue;
        const field = type.getFields()[selection.name.value];
        if (selection.name.value === '__typename')
          into[key] = this.#goesWrong('with unknown types') ? 'Unknown' : typeName;
        else if (field && !(key in into)) into[key] = this.#value(field.type, selection.selectionSet);
      }
    }
    return into;
  }

  #value(type: GraphQLOutputType, set: SelectionSetNode | undefined): unknown {
    if (this.#goesWrong('with nulls')) return null;
    if (this.#goesWrong('with values of other types')) return this.#random.of([1, 'x', true, 1.5, { x: 1 }]);
    if (isNonNullType(type)) return this.#value(type.ofType, set);
    if (isListType(type)) {
      return Array.from({ length: this.#random.below(4) }, () => this.#value(type.ofType, set));
    }
    if (isCompositeType(type)) {
      const of = isAbstractType(type) ? this.#random.of(this.#schema.getPossibleTypes(type)) : type;
      return this.object(of.name, set as SelectionSetNode);
    }
    if (isEnumType(type)) return this.#random.of(type.getValues()).name;
    const values: Record<string, unknown> = {
      Int: this.#random.below(9),
      Float: this.#random.below(9) / 2,
      Boolean: this.#random.chance(50),
      Anything: { any: [1, null] },
    };
    return values[type.name] ?? `${type.name} ${this.#random.below(20)}`;
  }
}
