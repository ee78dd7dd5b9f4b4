import type { GraphQLResolveInfo, GraphQLScalarType } from 'graphql';
import type { GraphContext } from './context.ts';

/** A field's resolver. Parents and arguments have the types the schema gives them; state them where you write it. */
export type Resolver<L = unknown> = (
  parent: never,
  args: never,
  context: GraphContext<L>,
  info: GraphQLResolveInfo,
) => unknown;

/** Loads an entity from its key; `null` when the caller's tenant has none. */
export type ReferenceResolver<L = unknown> = (
  reference: never,
  context: GraphContext<L>,
  info: GraphQLResolveInfo,
) => unknown;

export interface TypeResolvers<L = unknown> {
  [field: string]: Resolver<L> | ReferenceResolver<L> | { resolve?: Resolver<L>; subscribe?: Resolver<L> };
}

/** Resolvers by type and field, with `__resolveReference` for entities and `__resolveType` for abstract types. */
export interface Resolvers<L = unknown> {
  [type: string]: TypeResolvers<L> | GraphQLScalarType | Record<string, string | number>;
}
