import { GraphQLError, type GraphQLSchema, getVariableValues, type VariableDefinitionNode } from 'graphql';

/** Maximum number of reported mistakes. */
const mostMistakes = 20;
/** Characters of a message: it has the value that is wrong, which may be as large as the request. */
const maxMessageLength = 600;

export interface VariablesOptions {
  /** Whether messages may suggest fields and enum values of the schema. */
  suggest: boolean;
}

/**
 * Returns the values of an operation's variables, or the mistakes in them, limited in number and size:
 * graphql-js writes the whole value of an input object into the error for each unknown field, so that a small
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
  // The last error may state that there are more.
  return errors ? { mistakes: errors.slice(0, mostMistakes).map(mistake) } : { values: coerced };
}

function mistake(error: unknown): GraphQLError {
  const extensions = { code: 'BAD_USER_INPUT' };
  if (!(error instanceof GraphQLError))
    return new GraphQLError('The variables are nested too deeply.', { extensions });
  const { message, nodes } = error;
  return new GraphQLError(shortened(message), { ...(nodes ? { nodes } : {}), extensions });
}

/** Keeps the variable's name at the start and the mistake at the end. */
const shortened = (message: string): string =>
  message.length <= maxMessageLength
    ? message
    : `${message.slice(0, maxMessageLength / 2).toWellFormed()} … ${message.slice(-maxMessageLength / 2).toWellFormed()}`;
