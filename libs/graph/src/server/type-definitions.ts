import { type DocumentNode, parse } from 'graphql';
import { withConfersDirective } from '../authorization/confers-directive.ts';
import { scopesTypeDefs } from '../authorization/scopes-directive.ts';
import { withActorTypes } from '../types/actors.ts';
import { withDescribedInputs } from '../types/described-inputs.ts';
import { withProblemTypes } from '../types/problems.ts';

/**
 * Returns the schema with the parts that subgraphs share: `@scopes` and `@confers` unless it defines them,
 * the problem and actor types that it uses, and descriptions of input arguments.
 */
export function withScopesDirective(typeDefs: string): string {
  const complete = withConfersDirective(withDescribedInputs(withActorTypes(withProblemTypes(typeDefs))));
  return /directive\s+@scopes\b/.test(complete) ? complete : `${complete}\n${scopesTypeDefs}`;
}

/**
 * Documents by schema text: a process that serves a schema repeatedly, as in tests, parses it once. Documents
 * are immutable.
 */
const documents = new Map<string, DocumentNode>();

/** Returns the schema with the shared parts, as a syntax tree. */
export function completeDocument(typeDefs: string): DocumentNode {
  const read = documents.get(typeDefs) ?? parse(withScopesDirective(typeDefs));
  documents.set(typeDefs, read);
  return read;
}
