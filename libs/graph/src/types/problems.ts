import { GraphQLError } from 'graphql';

/**
 * Problems with a change, as data: the request cannot be fulfilled, and the caller learns how to correct it.
 * A caller without access gets an error of the request instead.
 */
export const problemTypeDefs = `
"Reason why a change was not made. Programs use \`code\` or the type; the message is for readers."
interface Problem {
  "Description of the problem."
  message: String!
  "Kind of the problem."
  code: ProblemCode!
  "Path of the argument, from the outermost to the innermost name; empty if the problem concerns the whole input."
  path: [String!]!
}

"Kinds of problems."
enum ProblemCode {
  "The object is at another version than the change is based on."
  VERSION_CONFLICT
  "Another object already has the value."
  NOT_UNIQUE
  "The input refers to an object that does not exist."
  NOT_FOUND
  "A value of the input is invalid."
  INVALID_INPUT
  "The change conflicts with the current state."
  CONFLICT
  "The idempotency key was used for another change."
  IDEMPOTENCY_KEY_REUSED
}

"The object is at another version than the change is based on. Read it again and repeat the change."
type VersionConflict implements Problem @shareable @scopes(inherit: true) {
  "Description of the problem."
  message: String!
  "VERSION_CONFLICT."
  code: ProblemCode!
  "Path of the version in the arguments."
  path: [String!]!
  "Current version of the object, if known."
  currentVersion: Int
}

"Another object already has the value."
type NotUnique implements Problem @shareable @scopes(inherit: true) {
  "Description of the problem."
  message: String!
  "NOT_UNIQUE."
  code: ProblemCode!
  "Path of the value in the arguments."
  path: [String!]!
  "Attribute whose value is in use, if known."
  attribute: String
}

"The input refers to an object that does not exist in this tenant."
type NotFound implements Problem @shareable @scopes(inherit: true) {
  "Description of the problem."
  message: String!
  "NOT_FOUND."
  code: ProblemCode!
  "Path of the reference in the arguments."
  path: [String!]!
}

"A value of the input is invalid."
type InvalidInput implements Problem @shareable @scopes(inherit: true) {
  "Description of the problem."
  message: String!
  "INVALID_INPUT."
  code: ProblemCode!
  "Path of the value in the arguments."
  path: [String!]!
  "Invalid attribute or argument, if known."
  attribute: String
}

"The change conflicts with the current state."
type StateConflict implements Problem @shareable @scopes(inherit: true) {
  "Description of the problem."
  message: String!
  "CONFLICT."
  code: ProblemCode!
  "Path of the cause in the arguments."
  path: [String!]!
}

"The idempotency key was used with another change before. Nothing was changed."
type IdempotencyKeyReused implements Problem @shareable @scopes(inherit: true) {
  "Description of the problem."
  message: String!
  "IDEMPOTENCY_KEY_REUSED."
  code: ProblemCode!
  "Path of the idempotency key in the arguments."
  path: [String!]!
}
`;

/** The schema with the problem types, when it speaks of problems and doesn't define them itself. */
export const withProblemTypes = (typeDefs: string): string =>
  /\bProblem\b/.test(typeDefs) && !/^interface\s+Problem\b/m.test(typeDefs)
    ? `${typeDefs}\n${problemTypeDefs}`
    : typeDefs;

interface ProblemFields {
  message: string;
  path: readonly string[];
}

/** A problem as resolvers return it. */
export type Problem = ProblemFields &
  (
    | { __typename: 'VersionConflict'; code: 'VERSION_CONFLICT'; currentVersion?: number | undefined }
    | { __typename: 'NotUnique'; code: 'NOT_UNIQUE'; attribute?: string | undefined }
    | { __typename: 'NotFound'; code: 'NOT_FOUND' }
    | { __typename: 'InvalidInput'; code: 'INVALID_INPUT'; attribute?: string | undefined }
    | { __typename: 'StateConflict'; code: 'CONFLICT' }
    | { __typename: 'IdempotencyKeyReused'; code: 'IDEMPOTENCY_KEY_REUSED' }
  );

function inInput(name: string | undefined): readonly string[] {
  if (name === undefined) return ['input'];
  if (!/^urn:/i.test(name)) return ['input', ...name.split('.')];
  // An attribute of an extension. The URN of its schema contains dots.
  const end = name.lastIndexOf(':');
  return ['input', 'extensions', name.slice(0, end), ...name.slice(end + 1).split('.')];
}

export const versionConflict = (currentVersion?: number): Problem => ({
  __typename: 'VersionConflict',
  code: 'VERSION_CONFLICT',
  message: 'The object has changed since it was read. Read it again.',
  path: inInput('version'),
  currentVersion,
});

/** @param attribute the argument's name, also within another: `emails.value` */
export const notUnique = (message: string, attribute?: string): Problem => ({
  __typename: 'NotUnique',
  code: 'NOT_UNIQUE',
  message,
  path: inInput(attribute),
  attribute,
});

export const notFoundProblem = (message: string, argument = 'id'): Problem => ({
  __typename: 'NotFound',
  code: 'NOT_FOUND',
  message,
  path: inInput(argument),
});

export const invalidInput = (message: string, attribute?: string): Problem => ({
  __typename: 'InvalidInput',
  code: 'INVALID_INPUT',
  message,
  path: inInput(attribute),
  attribute,
});

export const stateConflict = (message: string): Problem => ({
  __typename: 'StateConflict',
  code: 'CONFLICT',
  message,
  path: inInput(undefined),
});

export const idempotencyKeyReused = (): Problem => ({
  __typename: 'IdempotencyKeyReused',
  code: 'IDEMPOTENCY_KEY_REUSED',
  message: 'This idempotency key has already been used with a different change.',
  path: inInput('idempotencyKey'),
});

/** Returns the problem behind a failed change; `undefined` if it is not one. */
export type ProblemMapping = (cause: unknown) => Problem | undefined;

/**
 * Returns the problem of a catalogue error: NOT_FOUND, BAD_USER_INPUT or CONFLICT. Missing access and
 * unavailable dependencies remain errors.
 */
export const problemOf: ProblemMapping = (cause) => {
  if (!(cause instanceof GraphQLError)) return undefined;
  const { code, argument } = cause.extensions;
  const name = typeof argument === 'string' && argument !== 'input' ? argument : undefined;
  if (code === 'NOT_FOUND') return notFoundProblem(cause.message, name);
  if (code === 'BAD_USER_INPUT') return invalidInput(cause.message, name);
  if (code === 'CONFLICT') return stateConflict(cause.message);
  return undefined;
};

/** Returns the payload of a change that was not made: the problem, with all other fields null. */
export const refused = (problem: Problem): { problems: Problem[] } => ({ problems: [problem] });

/**
 * Runs a change and returns its payload with `problems`.
 * @param mapping for errors of the domain; those of the catalogue are known
 * @throws failures that the caller did not cause
 */
export async function payloadOf<T extends object>(
  change: () => Promise<T>,
  mapping: ProblemMapping = () => undefined,
): Promise<(T | Record<never, never>) & { problems: Problem[] }> {
  try {
    return { problems: [], ...(await change()) };
  } catch (error) {
    const problem = mapping(error) ?? problemOf(error);
    if (!problem) throw error;
    return refused(problem);
  }
}
