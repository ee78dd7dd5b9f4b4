import { buildSubgraphSchema } from '@apollo/subgraph';
import {
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isEnumType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isUnionType,
} from 'graphql';
import { type Conferring, challengeAdministrators, guardConferring } from '../authorization/confers.ts';
import { guardSchema } from '../authorization/guard.ts';
import { readRules, SchemaRuleError } from '../authorization/scopes-directive.ts';
import type { GraphContext } from '../context/context.ts';
import type { Resolvers } from '../context/resolvers.ts';
import { forbidden } from '../errors/errors.ts';
import { readGivenIds } from '../types/given-ids.ts';
import { pointAtArguments } from '../types/problem-paths.ts';
import { sharedScalars } from '../types/scalars.ts';
import { completeDocument } from './type-definitions.ts';

/** For a subgraph whose mutations confer nothing. Without a tenant's policy, the strictest applies. */
const nothingConferred: Conferring<unknown> = {
  rights: {},
  signInTerms: async () => ({ policy: undefined }),
};

/**
 * Builds a federated subgraph schema in which every field has a rule and every mutation declares the rights
 * that it confers.
 * @throws SchemaRuleError if a field has no rule, a mutation no declaration, or a resolver no field
 */
export function buildGuardedSchema<L>(
  typeDefs: string,
  resolvers: Resolvers<L>,
  options: { introspection: boolean; conferring?: Conferring<L> | undefined },
): GraphQLSchema {
  const complete = { ...sharedScalars, ...resolvers };
  const schema = buildSubgraphSchema([
    { typeDefs: completeDocument(typeDefs), resolvers: complete as never },
  ]);
  refuseStrayResolvers(schema, resolvers);
  const rules = readRules(schema);
  const conferring = options.conferring ?? nothingConferred;
  pointAtArguments(schema);
  guardConferring(schema, conferring);
  guardSchema(schema, rules);
  challengeAdministrators(schema, conferring);
  readGivenIds(schema);
  guardServiceDefinition(schema, options.introspection);
  return schema;
}

/**
 * `_service { sdl }` shows the whole schema, so it is as open as introspection, and open to Ostiary's
 * services.
 */
function guardServiceDefinition(schema: GraphQLSchema, introspection: boolean): void {
  const field = schema.getQueryType()?.getFields()._service;
  const resolve = field?.resolve as GraphQLFieldResolver<unknown, GraphContext> | undefined;
  if (!field || !resolve) return;
  field.resolve = (parent, args, context: GraphContext, info) => {
    if (!introspection && context.principal?.kind !== 'service') throw forbidden();
    return resolve(parent, args, context, info);
  };
}

// A misspelt resolver would otherwise be ignored, and its field would return a property of the parent.
function refuseStrayResolvers<L>(schema: GraphQLSchema, resolvers: Resolvers<L>): void {
  const problems: string[] = [];
  for (const [typeName, entries] of Object.entries(resolvers)) {
    const type = schema.getType(typeName);
    if (!type) {
      problems.push(`${typeName} has resolvers but is not in the schema`);
    } else if (isObjectType(type) || isInterfaceType(type)) {
      const fields = type.getFields();
      for (const name of Object.keys(entries)) {
        if (!name.startsWith('__') && !fields[name])
          problems.push(`${typeName}.${name} has a resolver but is not a field`);
      }
    } else if (!isScalarType(type) && !isEnumType(type) && !isUnionType(type)) {
      problems.push(`${typeName} cannot have resolvers`);
    }
  }
  if (problems.length > 0) throw new SchemaRuleError(problems);
}
