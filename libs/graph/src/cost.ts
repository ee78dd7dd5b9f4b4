import type { ApolloServerPlugin, BaseContext, HeaderMap } from '@apollo/server';
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type GraphQLCompositeType,
  GraphQLError,
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
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { defaultPageSize, maxPageSize } from './page.ts';

/** Entries a list is taken to have when nothing bounds it: people have a few groups, addresses, sessions. */
const unboundedList = 5;

/** An operation with everything its cost depends on. */
export interface CostedOperation {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Charges the caller for an operation within the limit, before it is executed.
 * @throws GraphQLError when the caller has used up what there is
 */
export type Spend<C> = (cost: number, context: C, headers: HeaderMap) => Promise<void>;

/**
 * Refuses operations whose answer could hold more than `limit` values, before anything is executed: pages within
 * pages multiply, so that a hundred characters can ask for millions of rows, and depth says nothing about it.
 */
export function limitCost<C extends BaseContext>(limit: number, spend?: Spend<C>): ApolloServerPlugin<C> {
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ schema, document, operation, request, contextValue, response }) {
          if (!operation) return;
          const cost = costOf({ schema, document, operation, variables: request.variables });
          if (cost <= limit) {
            await spend?.(cost, contextValue, response.http.headers);
            return;
          }
          throw new GraphQLError(
            'The operation asks for too much at once: ask for smaller pages, or for less within each entry.',
            { extensions: { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400 } } },
          );
        },
      };
    },
  };
}

/**
 * How many values the answer could hold: one for each field, times the entries of the lists it is in. A list has as
 * many as its connection's `first` says, `_entities` as many as there are representations, any other a few.
 * Fragments are measured once for each page size, so that measuring stays cheap however they are nested.
 */
export function costOf(costed: CostedOperation): number {
  const { schema, operation } = costed;
  const root = schema.getRootType(operation.operation);
  return root ? new Measure(costed).selections(operation.selectionSet, root, undefined) : 0;
}

class Measure {
  readonly #schema: GraphQLSchema;
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #measured = new Map<string, number>();
  readonly #variables: ReadonlyMap<string, unknown>;

  constructor({ schema, document, operation, variables }: CostedOperation) {
    this.#schema = schema;
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
  selections(set: SelectionSetNode, type: GraphQLCompositeType, pageSize: number | undefined): number {
    let total = 0;
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) total += this.#field(selection, type, pageSize);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) total += this.#spread(selection, pageSize);
      else {
        const condition = selection.typeCondition?.name.value;
        total += this.selections(selection.selectionSet, this.#composite(condition) ?? type, pageSize);
      }
    }
    return total;
  }

  #spread({ name }: FragmentSpreadNode, pageSize: number | undefined): number {
    const key = `${pageSize ?? ''} ${name.value}`;
    const known = this.#measured.get(key);
    if (known !== undefined) return known;
    const fragment = this.#fragments.get(name.value);
    const type = this.#composite(fragment?.typeCondition.name.value);
    const total = fragment && type ? this.selections(fragment.selectionSet, type, pageSize) : 0;
    this.#measured.set(key, total);
    return total;
  }

  #field(field: FieldNode, parent: GraphQLCompositeType, pageSize: number | undefined): number {
    const name = field.name.value;
    const definition = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
    // What the schema says about itself is bounded by the schema.
    if (!definition || !field.selectionSet) return 1;
    const type = getNamedType(definition.type);
    if (!isCompositeType(type)) return 1;
    const paged = definition.args.some((argument) => argument.name === 'first');
    if (isList(definition.type)) {
      const entries = paged ? this.#first(field) : (this.#references(field) ?? pageSize ?? unboundedList);
      return 1 + entries * (1 + this.selections(field.selectionSet, type, undefined));
    }
    return 1 + this.selections(field.selectionSet, type, paged ? this.#first(field) : undefined);
  }

  /** The page asked for; sizes out of range are refused where the page is read. */
  #first(field: FieldNode): number {
    const first = this.#argument(field, 'first');
    return typeof first === 'number' ? Math.min(Math.max(first, 1), maxPageSize) : defaultPageSize;
  }

  /** How many representations `_entities` was given. */
  #references(field: FieldNode): number | undefined {
    if (field.name.value !== '_entities') return undefined;
    const representations = this.#argument(field, 'representations');
    return Array.isArray(representations) ? representations.length : undefined;
  }

  #argument(field: FieldNode, name: string): unknown {
    return this.#valueOf(field.arguments?.find((argument) => argument.name.value === name)?.value);
  }

  /** A number, a variable's value, or a list of as many entries as the one written; nothing else matters here. */
  #valueOf(node: ValueNode | undefined): unknown {
    switch (node?.kind) {
      case Kind.INT:
        return Number(node.value);
      case Kind.LIST:
        return node.values;
      case Kind.VARIABLE:
        return this.#variables.get(node.name.value);
      default:
        return undefined;
    }
  }

  #composite(name: string | undefined): GraphQLCompositeType | undefined {
    const type = name === undefined ? undefined : this.#schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  }
}

const isList = (type: GraphQLOutputType): boolean => isListType(getNullableType(type));
