import { GraphQLError, type GraphQLSchema, getVariableValues, type VariableDefinitionNode } from 'graphql';

/** More mistakes than this say nothing new. */
const mostMistakes = 20;
/** Characters of a message: it has the value that is wrong, which may be as large as the request. */
const longestMessage = 600;

export interface VariablesOptions {
  /** Whether messages may name what is in the schema: they suggest fields and values of enums. */
  suggest: boolean;
}

/**
 * The values of an operation's variables, or what is wrong with them. Bounded in number and size, other than what graphql-js says by
 * itself: of an input object it writes the whole value into the error for each field that isn't known, so that a small
 * request could have gigabytes of errors.
 */
export function variableValues(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  given: Readonly<Record<string, unknown>>,
  { suggest }: VariablesOptions,
): { values: Record<string, unknown> } | { mistakes: readonly GraphQLError[] } {
  const { errors, coerced } = getVariableValues(schema, definitions, given, {
    maxErrors: mostMistakes,
    hideSuggestions: !suggest,
  });
  // The last one may say that there are more.
  return errors ? { mistakes: errors.slice(0, mostMistakes).map(mistake) } : { values: coerced };
}

function mistake(error: unknown): GraphQLError {
  const extensions = { code: 'BAD_USER_INPUT' };
  if (!(error instanceof GraphQLError))
    return new GraphQLError('The variables are nested too deeply.', { extensions });
  const { message, nodes } = error;
  return new GraphQLError(shortened(message), { ...(nodes ? { nodes } : {}), extensions });
}

/** Which variable it is stands at the beginning, what is wrong with it at the end. */
const shortened = (message: string): string =>
  message.length <= longestMessage
    ? message
    : `${message.slice(0, longestMessage / 2).toWellFormed()} … ${message.slice(-longestMessage / 2).toWellFormed()}`;
