import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isObjectType,
} from 'graphql';
import { directivesOf, isKey, keyFields } from './keys.ts';
import type { FieldRules } from './rule.ts';

/**
 * Returns the ways around a field's rule that a schema must not have:
 * - a field of Query or Subscription with several possible types, one of which inherits its rule: `node(id:)`
 * would be a second access path to an object guarded only by the first;
 * - an owner that a caller of `_entities` can invent, because it is part of the representation without being
 * the whole key.
 */
export function bypasses(schema: GraphQLSchema, rules: FieldRules): string[] {
  return [...secondRoutes(schema, rules), ...forgedOwners(schema, rules)];
}

function secondRoutes(schema: GraphQLSchema, rules: FieldRules): string[] {
  return [schema.getQueryType(), schema.getSubscriptionType()].flatMap((root) =>
    Object.values(root?.getFields() ?? {}).flatMap((entrance) => {
      const type = getNamedType(entrance.type);
      // `_entities` has its own checks.
      if (entrance.name === '_entities' || !isAbstractType(type)) return [];
      return schema.getPossibleTypes(type).flatMap((possible) =>
        Object.values(possible.getFields())
          .filter((field) => field.name !== 'id' && inherits(rules, field))
          .map(
            (field) =>
              `${possible.name}.${field.name} inherits, but ${root?.name}.${entrance.name} is a second way to it`,
          ),
      );
    }),
  );
}

/** Reports whether a field has no rule except that of its parent. */
const inherits = (rules: FieldRules, field: GraphQLField<unknown, unknown>): boolean =>
  rules.get(field)?.every((rule) => rule.inherit) ?? false;

function forgedOwners(schema: GraphQLSchema, rules: FieldRules): string[] {
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type)) return [];
    const fields = type.getFields();
    const keys = keysOf(type);
    return Object.values(fields).flatMap((field) =>
      (rules.get(field) ?? []).flatMap(({ owner }) => {
        if (owner === undefined) return [];
        const coordinate = `${type.name}.${field.name}`;
        if (directives(fields[owner]).includes('external')) {
          return [`${coordinate} belongs to "${owner}", which another subgraph's representation brings`];
        }
        // Every key must be safe, because the caller chooses one.
        return keys.some((key) => key.includes(owner) && key.length > 1)
          ? [`${coordinate} belongs to "${owner}", which is only a part of a key`]
          : [];
      }),
    );
  });
}

/** The top-level names of each `@key` for itself. */
const keysOf = (type: GraphQLObjectType): string[][] =>
  directivesOf(type)
    .filter(isKey)
    .map((node) => [...keyFields(type, [node])]);

const directives = (field: GraphQLField<unknown, unknown> | undefined): string[] =>
  field?.astNode?.directives?.map((node) => node.name.value.replace(/^federation__/, '')) ?? [];
