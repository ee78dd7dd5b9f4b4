import type { ApolloServerPlugin, BaseContext, GraphQLRequestListener } from '@apollo/server';
import {
  defaultFieldResolver,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import { badUserInput } from '../errors/errors.ts';

/** Size of a response so far. */
interface Size {
  values: number;
}

/**
 * Ends operations whose response has more than `limit` values in lists. The cost before execution is an
 * estimate, and an unpaged list may be longer: fields that lead from a user to sessions and back multiply at
 * each level. A query gets an error instead of data. A mutation has been applied, so its response is kept,
 * with the error and with lists cut off.
 */
export class AnswerBounds<C extends BaseContext> implements ApolloServerPlugin<C> {
  readonly #schema: GraphQLSchema;
  readonly #limit: number;
  /** Sizes by operation context. */
  readonly #sizes = new WeakMap<object, Size>();

  constructor(schema: GraphQLSchema, limit: number) {
    this.#schema = schema;
    this.#limit = limit;
    countLists(schema, (context, entries, info) => this.#count(context, entries, info));
  }

  async requestDidStart(): Promise<GraphQLRequestListener<C>> {
    return {
      didResolveOperation: async ({ contextValue }) => {
        this.#sizes.set(contextValue, { values: 0 });
      },
      willSendResponse: async ({ contextValue, operation, response: { body } }) => {
        if ((this.#sizes.get(contextValue)?.values ?? 0) <= this.#limit || body.kind !== 'single') return;
        const { message, extensions } = badUserInput(
          'The response is too large: request smaller pages, or fewer fields of each entry.',
        );
        const { singleResult } = body;
        const isQuery = operation?.operation === OperationTypeNode.QUERY;
        singleResult.errors = [...(isQuery ? [] : (singleResult.errors ?? [])), { message, extensions }];
        if (isQuery) singleResult.data = null;
      },
    };
  }

  #count(context: object, entries: number, info: GraphQLResolveInfo): boolean {
    const size = this.#sizes.get(context);
    if (!size) return true;
    if (size.values <= this.#limit && entries > 0) {
      size.values += entries * (1 + valuesOfEntry(this.#schema, info));
    }
    return size.values <= this.#limit;
  }
}

/**
 * Puts a count in front of every field that is a list of objects, once and in place.
 * @param count called with how many there are, none before they are looked up; false when they are too many
 */
function countLists(
  schema: GraphQLSchema,
  count: (context: object, entries: number, info: GraphQLResolveInfo) => boolean,
): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      if (!isListType(getNullableType(field.type)) || !isCompositeType(getNamedType(field.type))) continue;
      const resolve = field.resolve ?? defaultFieldResolver;
      field.resolve = (parent, args, context, info) => {
        if (!count(context, 0, info)) return [];
        const counted = (found: unknown): unknown =>
          Array.isArray(found) && !count(context, found.length, info) ? [] : found;
        const found: unknown = resolve(parent, args, context, info);
        return found instanceof Promise ? found.then(counted) : counted(found);
      };
    }
  }
}

/** The selection of all entries of a list is the same. */
const measured = new WeakMap<readonly FieldNode[], number>();

/** Returns the number of values of one entry, without nested lists. */
function valuesOfEntry(schema: GraphQLSchema, { fieldNodes, returnType, fragments }: GraphQLResolveInfo) {
  const known = measured.get(fieldNodes);
  if (known !== undefined) return known;
  const spread = new Map<string, number>();
  const typed = (name: string | undefined): GraphQLCompositeType | undefined => {
    const type = name === undefined ? undefined : schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  };
  const ofFragment = (name: string): number => {
    const before = spread.get(name);
    if (before !== undefined) return before;
    const fragment = fragments[name];
    const values = fragment ? within(fragment.selectionSet, typed(fragment.typeCondition.name.value)) : 0;
    spread.set(name, values);
    return values;
  };
  const ofField = ({ name, selectionSet }: FieldNode, parent: GraphQLCompositeType | undefined): number => {
    const fields = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields() : {};
    const type = fields[name.value]?.type;
    if (!selectionSet || !type || isListType(getNullableType(type))) return 1;
    return 1 + within(selectionSet, typed(getNamedType(type).name));
  };
  const within = ({ selections }: SelectionSetNode, type: GraphQLCompositeType | undefined): number => {
    let values = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) values += ofField(selection, type);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) values += ofFragment(selection.name.value);
      else values += within(selection.selectionSet, typed(selection.typeCondition?.name.value) ?? type);
    }
    return values;
  };
  const entry = typed(getNamedType(returnType).name);
  let values = 0;
  for (const { selectionSet } of fieldNodes) if (selectionSet) values += within(selectionSet, entry);
  measured.set(fieldNodes, values);
  return values;
}
