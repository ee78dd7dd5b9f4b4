import { selfScopes } from '@ostiary/access';
import {
  type GraphQLDirective,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getDirectiveValues,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
} from 'graphql';
import { bypasses } from './bypass.ts';
import { directivesOf, isEntity, keyFields } from './keys.ts';
import type { FieldRules, Rule } from './rule.ts';

/** The specification URL under which `@scopes` is linked, so that composition carries it into the supergraph. */
export const accessSpecUrl = 'https://ostiary.dev/specs/access/v1.0';

/**
 * SDL that adds `@scopes` to a subgraph's schema. The schema itself must import `@composeDirective` from the
 * federation specification.
 * A custom directive, because `@apollo/gateway` refuses to start on `@authenticated` and `@requiresScopes`,
 * and because subgraphs enforce the rules for every caller.
 */
export const scopesTypeDefs = `
extend schema
  @link(url: "${accessSpecUrl}", import: ["@scopes"])
  @composeDirective(name: "@scopes")

"""
Access rule of a field; alternatives are joined by "or". On a type it applies to each field without a rule of its
own. On an interface it applies in addition to the rule of the implementing type.
"""
directive @scopes(
  "Any of these scopes grants access."
  any: [String!]! = []
  "Property of the parent object with the id of its owner; a token of that user grants access."
  owner: String
  "A token of any user grants access."
  user: Boolean! = false
  "A user token with one of these scopes grants access to the user's own data."
  self: [String!]! = []
  "Additionally requires a token of the platform; tokens of tenants are rejected regardless of their scopes."
  platform: Boolean! = false
  "Inherits the rule of the field through which it is reached. Excludes other arguments."
  inherit: Boolean! = false
) on FIELD_DEFINITION | OBJECT | INTERFACE
`;

/** Thrown while a schema is built: it isn't fit to be served. `problems` names each field. */
export class SchemaRuleError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The schema's access rules are incomplete:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
    this.name = 'SchemaRuleError';
    this.problems = problems;
  }
}

/**
 * Reads the rules of all fields of a subgraph schema.
 * @throws SchemaRuleError with every field without rule, and every empty or contradictory rule
 */
export function readRules(schema: GraphQLSchema): FieldRules {
  const directive = schema.getDirective('scopes');
  if (!directive) throw new SchemaRuleError(['@scopes is not defined: add scopesTypeDefs to the schema']);
  const reader = new RuleReader(directive);
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  const rules = new Map<GraphQLField<unknown, unknown>, readonly Rule[]>();

  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isFederationInternal(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (isFederationField(type, field, schema)) continue;
      const coordinate = `${type.name}.${field.name}`;
      const own = reader.read(field, coordinate) ?? reader.read(type, type.name);
      const ofInterfaces = type.getInterfaces().flatMap((parent) => reader.ofInterface(parent, field.name));
      const all = own ? [own, ...ofInterfaces] : ofInterfaces;
      if (all.length === 0) reader.problems.push(`${coordinate} has no rule`);
      // Also if only an interface declares it.
      const inherits = all.length > 0 && all.every((rule) => rule.inherit);
      if (inherits && roots.has(type)) {
        reader.problems.push(`${coordinate} is a root field: there is nothing to inherit from`);
      }
      if (inherits && isEntity(type) && !keyFields(type).has(field.name)) {
        reader.problems.push(
          `${coordinate} inherits, but ${type.name} is an entity that can be asked for directly`,
        );
      }
      if (type === schema.getMutationType()) reader.refuseBareUsers(all, coordinate);
      rules.set(field, all);
    }
  }
  for (const type of Object.values(schema.getTypeMap())) {
    // A representation of an interface could stand for any implementing type, which nothing needs.
    if (isInterfaceType(type) && isEntity(type))
      reader.problems.push(`${type.name} is an interface with a @key`);
  }
  reader.problems.push(...bypasses(schema, rules));
  if (reader.problems.length > 0) throw new SchemaRuleError([...new Set(reader.problems)]);
  return rules;
}

class RuleReader {
  readonly problems: string[] = [];
  readonly #directive: GraphQLDirective;

  constructor(directive: GraphQLDirective) {
    this.#directive = directive;
  }

  ofInterface(type: GraphQLInterfaceType, fieldName: string): Rule[] {
    const field = type.getFields()[fieldName];
    if (!field) return [];
    const rule = this.read(field, `${type.name}.${fieldName}`) ?? this.read(type, type.name);
    return rule ? [rule] : [];
  }

  /**
   * Users who sign in to an app let it read their own data. Changing the data requires a scope of its own,
   * which the consent page explains.
   */
  refuseBareUsers(rules: readonly Rule[], coordinate: string): void {
    if (rules.some((rule) => rule.user || rule.owner !== undefined)) {
      this.problems.push(
        `${coordinate} changes something for any user’s token: it must name scopes of self-service`,
      );
    }
    const unknown = rules.flatMap((rule) => rule.self).find((scope) => !Object.hasOwn(selfScopes, scope));
    if (unknown !== undefined) this.problems.push(`${coordinate}: ${unknown} is no scope of self-service`);
  }

  /** The rule written on a field or type, if there is one. */
  read(
    of: GraphQLField<unknown, unknown> | GraphQLObjectType | GraphQLInterfaceType,
    coordinate: string,
  ): Rule | undefined {
    const directives = directivesOf(of).filter((node) => node.name.value === 'scopes');
    if (directives.length === 0) return undefined;
    if (directives.length > 1) this.problems.push(`${coordinate} has more than one rule`);
    const values = getDirectiveValues(this.#directive, { directives }) ?? {};
    const rule: Rule = {
      any: (values.any as string[] | undefined) ?? [],
      owner: (values.owner as string | null | undefined) ?? undefined,
      user: values.user === true,
      self: (values.self as string[] | undefined) ?? [],
      platform: values.platform === true,
      inherit: values.inherit === true,
    };
    const grants = rule.any.length > 0 || rule.owner !== undefined || rule.user || rule.self.length > 0;
    if (!grants && !rule.inherit) this.problems.push(`${coordinate} has a rule that no token satisfies`);
    if (grants && rule.inherit) this.problems.push(`${coordinate} inherits and has conditions of its own`);
    return rule;
  }
}

const isFederationInternal = (type: GraphQLNamedType): boolean => type.name === '_Service';

const isFederationField = (
  type: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  schema: GraphQLSchema,
): boolean => type === schema.getQueryType() && (field.name === '_entities' || field.name === '_service');
