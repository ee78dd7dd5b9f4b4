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
 * Ways to bypass a field's rule. What a schema must not have:
 *
 * - a field of Query or Subscription that can be one of several types, where one of them inherits: `node(id:)` would be a
 *   second way to what is guarded only by the first;
 * - an owner that a caller of `_entities` can make up, because it comes with the representation and is not all that the
 *   object is loaded by.
 */
export function bypasses(schema: GraphQLSchema, rules: FieldRules): string[] {
  return [...secondRoutes(schema, rules), ...forgedOwners(schema, rules)];
}

function secondRoutes(schema: GraphQLSchema, rules: FieldRules): string[] {
  return [schema.getQueryType(), schema.getSubscriptionType()].flatMap((root) =>
    Object.values(root?.getFields() ?? {}).flatMap((entrance) => {
      const type = getNamedType(entrance.type);
      // What `_entities` leads to has checks of its own.
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

/** Whether nothing but the way to a field guards it. */
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
        // Every key must do: the caller chooses by which one to ask.
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
