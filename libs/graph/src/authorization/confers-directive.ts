/**
 * SDL that brings `@confers` into a subgraph's schema. It isn't composed: the subgraph enforces it for every caller, and the
 * gateway has no use for it.
 */
export const confersTypeDefs = `
"""
Rights that a mutation confers, and the required sign-in of a user who calls it. A subgraph with a mutation without this directive
does not start. The rights are computed before the mutation is executed, and the caller must hold all of them.
"""
directive @confers(
  "The mutation confers nothing: it ends or narrows something, or changes data that no right depends on. Excludes rights."
  nothing: Boolean! = false
  "Names in the subgraph for the rights it may confer: a credential, a role, an identifying attribute."
  rights: [String!]! = []
  "Requires that a user has signed in within the last 15 minutes; always required if the mutation confers rights."
  recentSignIn: Boolean! = false
) on FIELD_DEFINITION
`;

/** The schema with `@confers`, unless it defines that itself. */
export const withConfersDirective = (typeDefs: string): string =>
  /directive\s+@confers\b/.test(typeDefs) ? typeDefs : `${typeDefs}\n${confersTypeDefs}`;
