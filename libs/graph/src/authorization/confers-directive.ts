/**
 * SDL that brings `@confers` into a subgraph's schema. It isn't composed: the subgraph enforces it for every caller, and the
 * gateway has no use for it.
 */
export const confersTypeDefs = `
"""
What a mutation gives to anybody, and how a person who asks for it must have signed in. Each mutation says so, or its subgraph
doesn't start. What the rights come to is worked out before the mutation is executed, and the caller must hold all of it.
"""
directive @confers(
  "It gives nobody anything: it ends or narrows something, or changes what no right rests on. Instead of rights."
  nothing: Boolean! = false
  "The subgraph's names for what it may give: a credential, a role, an identifier by which somebody is recognised."
  rights: [String!]! = []
  "A person must have signed in within the last quarter of an hour; always so for what gives something."
  recentSignIn: Boolean! = false
) on FIELD_DEFINITION
`;

/** The schema with `@confers`, unless it defines that itself. */
export const withConfersDirective = (typeDefs: string): string =>
  /directive\s+@confers\b/.test(typeDefs) ? typeDefs : `${typeDefs}\n${confersTypeDefs}`;
