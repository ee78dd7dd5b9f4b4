import {
  defaultFieldResolver,
  type FieldNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNullableType,
  isLeafType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { GraphContext } from '../context/context.ts';
import { badUserInput, forbidden, platformOnly, unauthenticated } from '../errors/errors.ts';
import { isEntity, keyFields } from './keys.ts';
import { type FieldRules, isClosedTo, mayPermit, permits, type Rule } from './rule.ts';

type Resolver = GraphQLFieldResolver<unknown, GraphContext>;
type ResolveReference = (representation: object, context: GraphContext, info: GraphQLResolveInfo) => unknown;

// Placeholders for entities that were not loaded because the caller may read none of the selected fields.
// Each field fails with its own path, including inherited ones.
const withheld = new WeakSet<object>();

/**
 * Puts the rules in front of every resolver of the schema, once and in place. Rules are checked before the resolver
 * runs, so that a refused field costs no query and a refused mutation has no effect.
 */
export function guardSchema(schema: GraphQLSchema, rules: FieldRules): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const required = rules.get(field);
      if (required) guardField(type, field, required);
    }
    if (isEntity(type)) guardReference(schema, type, rules);
  }
  guardEntities(schema);
}

function guardField(
  type: GraphQLObjectType,
  field: GraphQLField<unknown, GraphContext>,
  rules: readonly Rule[],
): void {
  const conditions = rules.filter((rule) => !rule.inherit);
  // An inherited field of a type without direct access is as open as its parent by construction.
  if (conditions.length === 0 && !isEntity(type)) return;
  const resolve: Resolver = field.resolve ?? defaultFieldResolver;
  field.resolve = (parent, args, context, info) => {
    check(conditions, parent, context);
    return resolve(parent, args, context, info);
  };
  const subscribe = field.subscribe;
  if (subscribe) {
    field.subscribe = (parent, args, context, info) => {
      check(conditions, parent, context);
      return subscribe(parent, args, context, info);
    };
  }
}

function check(conditions: readonly Rule[], parent: unknown, context: GraphContext): void {
  const { principal } = context;
  if (!principal) throw unauthenticated();
  for (const rule of conditions) {
    if (permits(rule, principal, parent)) continue;
    if (isClosedTo(rule, principal)) throw platformOnly();
    throw forbidden(principal.kind === 'user' ? [...rule.any, ...rule.self] : rule.any);
  }
  if (typeof parent === 'object' && parent !== null && withheld.has(parent)) throw forbidden();
}

interface SubgraphExtensions {
  apollo?: { subgraph?: { resolveReference?: ResolveReference } };
}

/**
 * Guards `_entities`: any caller of the subgraph may send any id. An entity is loaded only if one of the
 * selected fields may be allowed, so a rejected caller cannot find out which ids exist.
 */
function guardReference(schema: GraphQLSchema, type: GraphQLObjectType, rules: FieldRules): void {
  const extensions = type.extensions as SubgraphExtensions;
  const load = extensions.apollo?.subgraph?.resolveReference;
  const trusted = representationFields(type);
  const guarded: ResolveReference = (representation, context, info) => {
    const known = pick(representation, trusted);
    const principal = context.principal;
    const readable =
      principal !== undefined &&
      selectedFields(schema, type, info).some((field) => {
        const conditions = (rules.get(field) ?? []).filter((rule) => !rule.inherit);
        return conditions.length > 0 && conditions.every((rule) => mayPermit(rule, principal, known));
      });
    const reference = { __typename: type.name, ...known };
    if (!readable) {
      withheld.add(reference);
      return reference;
    }
    return load ? load(reference, context, info) : reference;
  };
  type.extensions = {
    ...extensions,
    apollo: { ...extensions.apollo, subgraph: { ...extensions.apollo?.subgraph, resolveReference: guarded } },
  };
}

/**
 * Returns the fields that a representation may contain: keys, and fields of `@requires`. Others would let a
 * caller inject invented values.
 */
function representationFields(type: GraphQLObjectType): ReadonlySet<string> {
  const external = Object.values(type.getFields())
    .filter((field) => field.astNode?.directives?.some((node) => node.name.value === 'external'))
    .map((field) => field.name);
  return new Set([...keyFields(type), ...external]);
}

function pick(source: object, names: ReadonlySet<string>): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of names) {
    if (Object.hasOwn(source, name)) picked[name] = (source as Record<string, unknown>)[name];
  }
  return picked;
}

// One `_entities` call resolves many representations; their selection is computed once per type.
const selections = new WeakMap<readonly FieldNode[], Map<string, GraphQLField<unknown, unknown>[]>>();

function selectedFields(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  info: GraphQLResolveInfo,
): GraphQLField<unknown, unknown>[] {
  let byType = selections.get(info.fieldNodes);
  if (!byType) {
    byType = new Map();
    selections.set(info.fieldNodes, byType);
  }
  const cached = byType.get(type.name);
  if (cached) return cached;

  const names = new Set<string>();
  const seen = new Set<string>();
  const applies = (condition: string | undefined): boolean => {
    const conditional = condition === undefined ? type : schema.getType(condition);
    if (conditional === type) return true;
    return conditional !== undefined && 'getTypes' in conditional
      ? conditional.getTypes().includes(type)
      : type.getInterfaces().some((parent) => parent === conditional);
  };
  const collect = (set: SelectionSetNode | undefined): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) {
        names.add(selection.name.value);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (applies(selection.typeCondition?.name.value)) collect(selection.selectionSet);
      } else {
        const fragment = info.fragments[selection.name.value];
        if (!fragment || seen.has(fragment.name.value)) continue;
        seen.add(fragment.name.value);
        if (applies(fragment.typeCondition.name.value)) collect(fragment.selectionSet);
      }
    }
  };
  for (const node of info.fieldNodes) collect(node.selectionSet);
  const fields = [...names].flatMap((name) => type.getFields()[name] ?? []);
  byType.set(type.name, fields);
  return fields;
}

/**
 * Returns a representation with its keys as in the schema: numbers are IDs, lists and objects are not.
 * Undefined if the key is missing or invalid.
 */
function withKey(type: GraphQLObjectType, representation: object): object | undefined {
  const keys: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(pick(representation, keyFields(type)))) {
    if (value === null || value === undefined) continue;
    const keyType = type.getFields()[name]?.type;
    const leaf = keyType && getNullableType(keyType);
    try {
      keys[name] = isLeafType(leaf) ? leaf.parseValue(value) : value;
    } catch {
      return undefined;
    }
  }
  return Object.keys(keys).length === 0 ? undefined : { ...representation, ...keys };
}

/**
 * Rejects representations that are not objects with a key of an entity of this subgraph, before anything is
 * loaded.
 */
function guardEntities(schema: GraphQLSchema): void {
  const field = schema.getQueryType()?.getFields()._entities;
  const resolve = field?.resolve;
  if (!field || !resolve) return;
  field.resolve = (parent, args, context, info) => {
    const representations = (args.representations as unknown[]).map((representation) => {
      const name = (representation as { __typename?: unknown } | null)?.__typename;
      const type = typeof name === 'string' ? schema.getType(name) : undefined;
      const known = isObjectType(type) && isEntity(type) && withKey(type, representation as object);
      if (!known) {
        throw badUserInput(
          'A representation must be an object whose __typename is an entity of this subgraph, with its key.',
          {
            argument: 'representations',
          },
        );
      }
      return known;
    });
    return resolve(parent, { ...args, representations }, context, info);
  };
}
