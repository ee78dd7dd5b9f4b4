import {
  type GraphQLError,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { badUserInput, conflict, notFound } from '../errors/errors.ts';
import type { Problem } from './problems.ts';

type Info = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'variableValues'>;

/** Reports whether the operation selects `problems` of the payload, considering `@skip` and `@include`. */
export function asksForProblems({ fieldNodes, fragments, variableValues }: Info): boolean {
  const seen = new Set<string>();
  const isSkipped = (selection: SelectionNode): boolean =>
    getDirectiveValues(GraphQLSkipDirective, selection, variableValues)?.if === true ||
    getDirectiveValues(GraphQLIncludeDirective, selection, variableValues)?.if === false;
  const within = (set: SelectionSetNode | undefined): boolean =>
    (set?.selections ?? []).some((selection) => {
      if (isSkipped(selection)) return false;
      if (selection.kind === 'Field') return selection.name.value === 'problems';
      if (selection.kind === 'InlineFragment') return within(selection.selectionSet);
      const name = selection.name.value;
      if (seen.has(name)) return false;
      seen.add(name);
      return within(fragments[name]?.selectionSet);
    });
  return fieldNodes.some((node) => within(node.selectionSet));
}

/**
 * Returns a payload if the operation selects its problems or has none. Otherwise throws the problem as an
 * error of the request, so that no client assumes a change was made.
 * @throws NOT_FOUND, BAD_USER_INPUT, CONFLICT
 */
export function showProblems<T extends { problems: readonly Problem[] }>(payload: T, info: Info): T {
  const [problem] = payload.problems;
  if (problem && !asksForProblems(info)) throw errorOf(problem);
  return payload;
}

function errorOf(problem: Problem): GraphQLError {
  switch (problem.code) {
    case 'NOT_FOUND':
      return notFound('The referenced object');
    case 'INVALID_INPUT':
      return badUserInput(problem.message, problem.attribute ? { argument: problem.attribute } : {});
    default:
      return conflict(problem.message);
  }
}
