import type { ApolloServerPlugin, BaseContext } from '@apollo/server';
import {
  type DocumentNode,
  type FieldDefinitionNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLArgument,
  type GraphQLCompositeType,
  GraphQLError,
  type GraphQLField,
  GraphQLInt,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  print,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { defaultPageSize, maxPageSize } from '../paging/cursor.ts';

/** Entries a list is taken to have when nothing bounds it: people have a few groups, addresses, sessions. */
const unboundedList = 5;

/** How many entries lists have at most, by coordinate (`User.departures`), where neither a page nor an argument says it. */
export type ListSizes = ReadonlyMap<string, number>;

/** The sizes that a schema states with `@listSize(assumedSize:)` of the federation (IBM's cost specification, 1.2). */
export function listSizesIn(schema: DocumentNode): ListSizes {
  const sizes = new Map<string, number>();
  for (const definition of schema.definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.OBJECT_TYPE_EXTENSION)
      continue;
    for (const field of definition.fields ?? []) {
      const size = assumedSize(field);
      if (size !== undefined) sizes.set(`${definition.name.value}.${field.name.value}`, size);
    }
  }
  return sizes;
}

function assumedSize({ directives }: FieldDefinitionNode): number | undefined {
  const value = directives
    ?.find(({ name }) => name.value === 'listSize')
    ?.arguments?.find(({ name }) => name.value === 'assumedSize')?.value;
  return value?.kind === Kind.INT ? Number(value.value) : undefined;
}

/** An operation with everything its cost depends on. */
export interface CostedOperation {
  schema: GraphQLSchema;
  /** What schemas for clients don't show. */
  listSizes?: ListSizes | undefined;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables?: Readonly<Record<string, unknown>> | undefined;
}

/** Where an answer's headers go. */
export interface HeaderSink {
  set(name: string, value: string): unknown;
}

/**
 * Charges the caller for an operation within the limit, before it is executed.
 * @throws GraphQLError when the caller has used up what there is
 */
export type Spend<C> = (cost: number, context: C, headers: HeaderSink) => Promise<void>;

/**
 * Refuses operations whose answer could hold more than `limit` values, before anything is executed: pages within
 * pages multiply, so that a hundred characters can ask for millions of rows, and depth says nothing about it.
 */
export function limitCost<C extends BaseContext>(
  limit: number,
  { listSizes, spend }: { listSizes?: ListSizes | undefined; spend?: Spend<C> | undefined } = {},
): ApolloServerPlugin<C> {
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ schema, document, operation, request, contextValue, response }) {
          if (!operation) return;
          const cost = costOf({ schema, listSizes, document, operation, variables: request.variables });
          if (cost <= limit) {
            await spend?.(cost, contextValue, response.http.headers);
            return;
          }
          throw new GraphQLError(
            'The operation requests too much: request smaller pages, or fewer fields of each entry.',
            { extensions: { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400 } } },
          );
        },
      };
    },
  };
}

/**
 * How many values the answer could hold: one for each field, times the entries of the lists it is in. A field that is selected
 * several times, here and in fragments, is in the answer once, and counts once. A list has as
 * many as its own or its connection's `first` says, or the schema where nothing is asked for; one that is asked for with a
 * list (`ids`, representations) as many as that has, one that is asked for with a number (`days`) that many; one with an
 * `@listSize` as many as that says, any other a few.
 * What is reached in several ways is measured once for each page size, so that measuring stays cheap however fragments are nested.
 */
export function costOf(costed: CostedOperation): number {
  const { schema, operation } = costed;
  const root = schema.getRootType(operation.operation);
  if (!root) return 0;
  try {
    return new Measure(costed).selections([operation.selectionSet], root, undefined);
  } catch (error) {
    if (error instanceof Beyond) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

/**
 * Selections that are looked at to measure one operation. Each way to a field counts for itself in the cost, so what takes more than this
 * costs more than any caller may ask for.
 */
const mostWork = 300_000;

class Beyond extends Error {}

/** A field with the type that it is selected of. */
interface Selected {
  readonly node: FieldNode;
  readonly parent: GraphQLCompositeType;
}

/** Fields of one name, by what they stand for: of one object they are the same, or the operation would not be valid. */
function alike(selected: readonly Selected[]): Iterable<readonly Selected[]> {
  const groups = new Map<string, Selected[]>();
  for (const each of selected) {
    const { name, arguments: given = [] } = each.node;
    const written = given.map((argument) => `${argument.name.value}: ${print(argument.value)}`).sort();
    const key = `${name.value}(${written.join()})`;
    const group = groups.get(key);
    if (group) group.push(each);
    else groups.set(key, [each]);
  }
  return groups.values();
}

class Measure {
  readonly #schema: GraphQLSchema;
  readonly #listSizes: ListSizes;
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #measured = new Map<string, number>();
  readonly #ids = new Map<FieldNode, number>();
  #work = 0;
  readonly #variables: ReadonlyMap<string, unknown>;

  constructor({ schema, listSizes, document, operation, variables }: CostedOperation) {
    this.#schema = schema;
    this.#listSizes = listSizes ?? new Map();
    for (const definition of document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION)
        this.#fragments.set(definition.name.value, definition);
    }
    const given = new Map(Object.entries(variables ?? {}));
    this.#variables = new Map(
      (operation.variableDefinitions ?? []).map(({ variable: { name }, defaultValue }) => [
        name.value,
        given.has(name.value) ? given.get(name.value) : this.#valueOf(defaultValue),
      ]),
    );
  }

  /** @param pageSize entries of the list in the connection whose fields these are; undefined outside of one */
  selections(
    sets: readonly SelectionSetNode[],
    type: GraphQLCompositeType,
    pageSize: number | undefined,
  ): number {
    let total = 0;
    for (const selected of this.#collected(sets, type).values()) {
      // Of different fields by one name, objects of each type have one.
      let most = 0;
      for (const same of selected.length === 1 ? [selected] : alike(selected)) {
        most = Math.max(most, this.#merged(same, pageSize));
      }
      total += most;
    }
    return total;
  }

  /** The fields of an object by the name that they have in the answer, fragments opened once each. */
  #collected(sets: readonly SelectionSetNode[], type: GraphQLCompositeType): Map<string, Selected[]> {
    const fields = new Map<string, Selected[]>();
    const opened = new Set<string>();
    const collect = ({ selections }: SelectionSetNode, parent: GraphQLCompositeType): void => {
      this.#work += selections.length;
      if (this.#work > mostWork) throw new Beyond();
      for (const node of selections) {
        if (node.kind === Kind.FIELD) {
          const name = node.alias?.value ?? node.name.value;
          const known = fields.get(name);
          if (known) known.push({ node, parent });
          else fields.set(name, [{ node, parent }]);
        } else if (node.kind === Kind.INLINE_FRAGMENT) {
          collect(node.selectionSet, this.#composite(node.typeCondition?.name.value) ?? parent);
        } else if (!opened.has(node.name.value)) {
          opened.add(node.name.value);
          const fragment = this.#fragments.get(node.name.value);
          const on = this.#composite(fragment?.typeCondition.name.value);
          if (fragment && on) collect(fragment.selectionSet, on);
        }
      }
    };
    for (const set of sets) collect(set, type);
    return fields;
  }

  /** Of one field, however often it is selected: execution answers it once, with all that is selected of it. */
  #merged(same: readonly Selected[], pageSize: number | undefined): number {
    const [first] = same;
    if (!first?.node.selectionSet) return 1;
    // Without fragments nothing is met twice.
    const key = this.#fragments.size > 0 ? `${pageSize ?? ''} ${this.#idsOf(same)}` : undefined;
    const known = key === undefined ? undefined : this.#measured.get(key);
    if (known !== undefined) return known;
    const sets = same.flatMap(({ node }) => node.selectionSet ?? []);
    let most = 1;
    for (const parent of new Set(same.map((each) => each.parent))) {
      most = Math.max(most, this.#field(first.node, sets, parent, pageSize));
    }
    if (key !== undefined) this.#measured.set(key, most);
    return most;
  }

  #idsOf(same: readonly Selected[]): string {
    return same
      .map(({ node }) => {
        const id = this.#ids.get(node) ?? this.#ids.size;
        this.#ids.set(node, id);
        return id;
      })
      .join();
  }

  #field(
    field: FieldNode,
    sets: readonly SelectionSetNode[],
    parent: GraphQLCompositeType,
    pageSize: number | undefined,
  ): number {
    const name = field.name.value;
    const definition = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
    // What the schema says about itself is bounded by the schema.
    if (!definition) return 1;
    const type = getNamedType(definition.type);
    if (!isCompositeType(type)) return 1;
    const first = definition.args.find((argument) => argument.name === 'first');
    const ownSize = first && this.#pageSize(field, first);
    if (isList(definition.type)) {
      const entries =
        ownSize ??
        this.#askedFor(field, definition) ??
        this.#listSizes.get(`${parent.name}.${name}`) ??
        pageSize ??
        unboundedList;
      return 1 + entries * (1 + this.selections(sets, type, undefined));
    }
    return 1 + this.selections(sets, type, ownSize);
  }

  /** The page asked for; sizes out of range are refused where the page is read. */
  #pageSize(field: FieldNode, { defaultValue }: GraphQLArgument): number {
    const sizes = ['first', 'last'].map((name) => this.#argument(field, name));
    const given = sizes.filter((size) => typeof size === 'number');
    if (given.length > 0) return Math.min(Math.max(1, ...given), maxPageSize);
    return typeof defaultValue === 'number' ? defaultValue : defaultPageSize;
  }

  /** How many entries a list's own argument says: as many as are named, or a number. */
  #askedFor(field: FieldNode, { args }: GraphQLField<unknown, unknown>): number | undefined {
    for (const { name, type, defaultValue } of args) {
      const given = this.#argument(field, name) ?? defaultValue;
      // What is given may be one entry instead of a list.
      if (isListType(getNullableType(type)) && given != null) return Array.isArray(given) ? given.length : 1;
      if (getNamedType(type) === GraphQLInt && typeof given === 'number') return Math.max(1, given);
    }
    return undefined;
  }

  #argument(field: FieldNode, name: string): unknown {
    return this.#valueOf(field.arguments?.find((argument) => argument.name.value === name)?.value);
  }

  /** A number, a variable's value, or a list of as many entries as the one written; of anything else only that it is there. */
  #valueOf(node: ValueNode | undefined): unknown {
    switch (node?.kind) {
      case Kind.INT:
        return Number(node.value);
      case Kind.LIST:
        return node.values;
      case Kind.VARIABLE:
        return this.#variables.get(node.name.value);
      case Kind.NULL:
      case undefined:
        return undefined;
      default:
        return node;
    }
  }

  #composite(name: string | undefined): GraphQLCompositeType | undefined {
    const type = name === undefined ? undefined : this.#schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  }
}

const isList = (type: GraphQLOutputType): boolean => isListType(getNullableType(type));
