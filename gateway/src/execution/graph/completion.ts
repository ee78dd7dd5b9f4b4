import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { Fallback } from '../fallback.ts';

/** Converts a value of the collected data into the form of the response. @throws Fallback for an unexpected value */
export type Complete = (value: unknown) => unknown;

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;
type ObjectLike = Record<string, unknown>;

/**
 * Compiles the part of the planner's post-processing that it repeats for each response: the fields that an operation
 * selects of each type, in order. It handles the supported cases only. Missing values, values of another type,
 * unknown types, directives and introspection are left to the planner.
 * @throws Fallback
 */
export function shapeOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
): Complete {
  const root = schema.getRootType(operation.operation);
  if (!root) throw new Fallback('type');
  return new Shapes(schema, fragments).object(root.name, [operation.selectionSet]);
}

class Shapes {
  readonly #schema: GraphQLSchema;
  readonly #fragments: Fragments;

  constructor(schema: GraphQLSchema, fragments: Fragments) {
    this.#schema = schema;
    this.#fragments = fragments;
  }

  object(typeName: string, sets: readonly SelectionSetNode[]): Complete {
    const type = this.#schema.getType(typeName);
    if (!isObjectType(type)) throw new Fallback('type');
    const selected = new Map<string, FieldNode[]>();
    for (const set of sets) this.#collect(set, typeName, false, selected);
    const fields = [...selected].map(([key, nodes]) => {
      const name = nodes[0]?.name.value ?? '';
      if (name === '__typename') return { key, complete: sameName(typeName) };
      const field = type.getFields()[name];
      if (!field || nodes.some((node) => node.name.value !== name)) throw new Fallback('type');
      const below = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      return { key, complete: this.#of(field.type, below) };
    });
    return (value) => {
      const source = objectOf(value);
      if (source === null) return null;
      if (source.__typename !== undefined && source.__typename !== typeName) throw new Fallback('other type');
      const completed: ObjectLike = {};
      for (const { key, complete } of fields) completed[key] = complete(source[key]);
      return completed;
    };
  }

  #of(type: GraphQLOutputType, sets: readonly SelectionSetNode[]): Complete {
    if (isNonNullType(type)) {
      const complete = this.#of(type.ofType, sets);
      return (value) => {
        if (value === null || value === undefined) throw new Fallback('null');
        return complete(value);
      };
    }
    if (isListType(type)) {
      const complete = this.#of(type.ofType, sets);
      return (value) => {
        if (value === null || value === undefined) return null;
        if (!Array.isArray(value)) throw new Fallback('shape');
        return value.map((entry) => complete(entry));
      };
    }
    if (isObjectType(type)) return this.object(type.name, sets);
    if (isLeafType(type))
      return leaf(isSpecifiedScalarType(type) || isEnumType(type) ? isOf(type) : anything);
    if (isCompositeType(type)) return this.#abstract(type.name, sets);
    throw new Fallback('type');
  }

  /** Selects by the type that each object states. Types are compiled when they first occur. */
  #abstract(abstractName: string, sets: readonly SelectionSetNode[]): Complete {
    const known = new Map<string, Complete>();
    const among = (name: unknown): Complete => {
      const type = typeof name === 'string' ? this.#schema.getType(name) : undefined;
      const abstract = this.#schema.getType(abstractName);
      if (!isObjectType(type) || !isAbstractType(abstract) || !this.#schema.isSubType(abstract, type)) {
        throw new Fallback('other type');
      }
      const complete = this.object(type.name, sets);
      known.set(type.name, complete);
      return complete;
    };
    return (value) => {
      const source = objectOf(value);
      if (source === null) return null;
      return (known.get(source.__typename as string) ?? among(source.__typename))(source);
    };
  }

  #collect(
    { selections }: SelectionSetNode,
    typeName: string,
    withinAbstract: boolean,
    into: Map<string, FieldNode[]>,
  ): void {
    for (const selection of selections) {
      if (selection.directives && selection.directives.length > 0) throw new Fallback('directive');
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        const isTypeName = selection.name.value === '__typename';
        // Keys of `Object.prototype` exist in every object and cannot be copied safely.
        if (
          key in Object.prototype ||
          (isTypeName ? withinAbstract : selection.name.value.startsWith('__'))
        ) {
          throw new Fallback('name');
        }
        const nodes = into.get(key);
        if (nodes) nodes.push(selection);
        else into.set(key, [selection]);
        continue;
      }
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(selection.name.value) : selection;
      if (!fragment || (fragment.directives && fragment.directives.length > 0))
        throw new Fallback('directive');
      const condition = fragment.typeCondition?.name.value ?? typeName;
      // A selection within an interface within an object depends on a __typename that the data may lack.
      if (withinAbstract && fragment.typeCondition) throw new Fallback('type condition');
      if (condition === typeName) this.#collect(fragment.selectionSet, typeName, withinAbstract, into);
      else if (this.#applies(condition, typeName)) {
        this.#collect(fragment.selectionSet, typeName, true, into);
      }
    }
  }

  #applies(condition: string, typeName: string): boolean {
    const abstract = this.#schema.getType(condition);
    const type = this.#schema.getType(typeName);
    if (!isCompositeType(abstract) || !isObjectType(type)) throw new Fallback('type');
    return isAbstractType(abstract) && this.#schema.isSubType(abstract, type);
  }
}

function objectOf(value: unknown): ObjectLike | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object' || Array.isArray(value)) throw new Fallback('shape');
  return value as ObjectLike;
}

/** `__typename`, which the data of the outermost object may lack. */
const sameName =
  (typeName: string): Complete =>
  (value) => {
    if (value !== undefined && value !== null && value !== typeName) throw new Fallback('other type');
    return typeName;
  };

const leaf =
  (isValid: (value: unknown) => boolean): Complete =>
  (value) => {
    if (value === null || value === undefined) return null;
    if (!isValid(value)) throw new Fallback('value');
    return value;
  };

const anything = (): boolean => true;

function isOf(type: GraphQLOutputType): (value: unknown) => boolean {
  if (isEnumType(type)) return (value) => typeof value === 'string' && type.getValue(value) !== undefined;
  switch (String(type)) {
    case 'String':
    case 'ID':
      return (value) => typeof value === 'string';
    case 'Int':
      return (value) => Number.isSafeInteger(value);
    case 'Float':
      return (value) => typeof value === 'number';
    case 'Boolean':
      return (value) => typeof value === 'boolean';
    default:
      throw new Fallback('type');
  }
}
