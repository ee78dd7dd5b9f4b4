import { type DocumentNode, parse } from 'graphql';
import { withConfersDirective } from '../authorization/confers-directive.ts';
import { scopesTypeDefs } from '../authorization/scopes-directive.ts';
import { withActorTypes } from '../types/actors.ts';
import { withDescribedInputs } from '../types/described-inputs.ts';
import { withProblemTypes } from '../types/problems.ts';

/**
 * The schema with what all subgraphs share: `@scopes` and `@confers`, unless it defines them itself, the problem types when it speaks of
 * problems, the types of actors when it records who did something, and descriptions of the inputs of its fields.
 */
export function withScopesDirective(typeDefs: string): string {
  const complete = withConfersDirective(withDescribedInputs(withActorTypes(withProblemTypes(typeDefs))));
  return /directive\s+@scopes\b/.test(complete) ? complete : `${complete}\n${scopesTypeDefs}`;
}

/** By the schema's text: a process that serves it more than once, as tests do, reads it once. Nobody changes a document. */
const documents = new Map<string, DocumentNode>();

/** The schema with what all subgraphs share, as the tree of its definitions. */
export function completeDocument(typeDefs: string): DocumentNode {
  const read = documents.get(typeDefs) ?? parse(withScopesDirective(typeDefs));
  documents.set(typeDefs, read);
  return read;
}
