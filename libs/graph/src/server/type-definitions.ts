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
