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

/** Assumed number of entries of an unbounded list: users have a few groups, addresses, sessions. */
const unboundedList = 5;

/**
 * Maximum number of entries of lists without page size or list argument, by coordinate (`User.departures`).
 */
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

/** An operation with everything that determines its cost. */
export interface CostedOperation {
  schema: GraphQLSchema;
  /** List sizes, which schemas for clients do not contain. */
  listSizes?: ListSizes | undefined;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables?: Readonly<Record<string, unknown>> | undefined;
}

/** Target of response headers. */
export interface HeaderSink {
  set(name: string, value: string): unknown;
}

/**
 * Charges the caller for an operation within the limit, before execution.
 * @throws GraphQLError if the caller's allowance is exhausted
 */
export type Spend<C> = (cost: number, context: C, headers: HeaderSink) => Promise<void>;

/**
 * Rejects operations whose response could have more than `limit` values, before execution: nested pages
 * multiply, so that a hundred characters can request millions of rows at a small depth.
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
 * Returns the maximum number of values in the response: one per field, times the entries of the lists around
 * it. A field that is selected several times, also in fragments, counts once. The size of a list is its own
 * or its connection's `first`, or the schema's default; the length of its list argument (`ids`,
 * representations); its number argument (`days`); its `@listSize`; otherwise a small constant. Fields reached
 * in several ways are measured once per page size, so that measuring stays cheap for nested fragments.
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
 * Maximum number of selections visited for one operation. Each path to a field counts separately, so a higher
 * number also exceeds any cost limit.
 */
const mostWork = 300_000;

class Beyond extends Error {}

/** A field with the type that it is selected of. */
interface Selected {
  readonly node: FieldNode;
  readonly parent: GraphQLCompositeType;
}

/**
 * Groups fields of one name by definition: for one object they are equal, or the operation would be invalid.
 */
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
      // An object of each type has one of the different fields with one name.
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

  /** Cost of one field with all its selections, which execution merges. */
  #merged(same: readonly Selected[], pageSize: number | undefined): number {
    const [first] = same;
    if (!first?.node.selectionSet) return 1;
    // Without fragments no selection is visited twice.
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
    // Introspection is bounded by the schema.
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

  /** Returns the requested page size. Invalid sizes are rejected where the page is read. */
  #pageSize(field: FieldNode, { defaultValue }: GraphQLArgument): number {
    const sizes = ['first', 'last'].map((name) => this.#argument(field, name));
    const given = sizes.filter((size) => typeof size === 'number');
    if (given.length > 0) return Math.min(Math.max(1, ...given), maxPageSize);
    return typeof defaultValue === 'number' ? defaultValue : defaultPageSize;
  }

  /** Returns the number of entries that an argument of the list states, by its length or as a number. */
  #askedFor(field: FieldNode, { args }: GraphQLField<unknown, unknown>): number | undefined {
    for (const { name, type, defaultValue } of args) {
      const given = this.#argument(field, name) ?? defaultValue;
      // A single value is coerced to a list.
      if (isListType(getNullableType(type)) && given != null) return Array.isArray(given) ? given.length : 1;
      if (getNamedType(type) === GraphQLInt && typeof given === 'number') return Math.max(1, given);
    }
    return undefined;
  }

  #argument(field: FieldNode, name: string): unknown {
    return this.#valueOf(field.arguments?.find((argument) => argument.name.value === name)?.value);
  }

  /**
   * Returns a number, a variable's value, or a list of the written length; for other values only their
   * presence.
   */
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
