import { GraphQLError } from 'graphql';

/**
 * What can be wrong with a change, as data: the caller asked for something that can't be done, and learns what to ask for
 * instead. A caller that may not ask at all gets an error of the request.
 */
export const problemTypeDefs = `
"Why a change was not made. Programs decide by \`code\` or the type; the message is for people."
interface Problem {
  "What is wrong, in words."
  message: String!
  "What kind of problem it is."
  code: ProblemCode!
  "Where in the arguments it lies, from the outside in; empty when it is about the whole."
  path: [String!]!
}

"Kinds of problems."
enum ProblemCode {
  "Somebody else was faster: the thing is at another version than the change is based on."
  VERSION_CONFLICT
  "Something else has the value already."
  NOT_UNIQUE
  "What the input refers to isn't there."
  NOT_FOUND
  "A value of the input can't be right."
  INVALID_INPUT
  "The change doesn't fit what is there."
  CONFLICT
  "The idempotency key was used for something else."
  IDEMPOTENCY_KEY_REUSED
}

"Somebody else was faster: read the thing again, and decide again."
type VersionConflict implements Problem @shareable @scopes(inherit: true) {
  "What is wrong, in words."
  message: String!
  "VERSION_CONFLICT."
  code: ProblemCode!
  "Where in the arguments the version is."
  path: [String!]!
  "The version the thing is at, if known."
  currentVersion: Int
}

"Something else has the value already."
type NotUnique implements Problem @shareable @scopes(inherit: true) {
  "What is wrong, in words."
  message: String!
  "NOT_UNIQUE."
  code: ProblemCode!
  "Where in the arguments the value is."
  path: [String!]!
  "The attribute whose value is taken, if known."
  attribute: String
}

"What the input refers to isn't there: not in this tenant."
type NotFound implements Problem @shareable @scopes(inherit: true) {
  "What is wrong, in words."
  message: String!
  "NOT_FOUND."
  code: ProblemCode!
  "Where in the arguments the reference is."
  path: [String!]!
}

"A value of the input can't be right."
type InvalidInput implements Problem @shareable @scopes(inherit: true) {
  "What is wrong, in words."
  message: String!
  "INVALID_INPUT."
  code: ProblemCode!
  "Where in the arguments the value is."
  path: [String!]!
  "The attribute or argument that is wrong, if one is."
  attribute: String
}

"The change doesn't fit what is there."
type StateConflict implements Problem @shareable @scopes(inherit: true) {
  "What is wrong, in words."
  message: String!
  "CONFLICT."
  code: ProblemCode!
  "Where in the arguments the cause is."
  path: [String!]!
}

"The idempotency key came with another change before: nothing was done now."
type IdempotencyKeyReused implements Problem @shareable @scopes(inherit: true) {
  "What is wrong, in words."
  message: String!
  "IDEMPOTENCY_KEY_REUSED."
  code: ProblemCode!
  "Where in the arguments the key is."
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
  // An attribute of an extension. The URN of its schema holds dots.
  const end = name.lastIndexOf(':');
  return ['input', 'extensions', name.slice(0, end), ...name.slice(end + 1).split('.')];
}

export const versionConflict = (currentVersion?: number): Problem => ({
  __typename: 'VersionConflict',
  code: 'VERSION_CONFLICT',
  message: 'It has changed since: read it again.',
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
  message: 'This idempotency key came with another change before.',
  path: inInput('idempotencyKey'),
});

/** The problem in what a change failed with; `undefined` when it is none. */
export type ProblemMapping = (cause: unknown) => Problem | undefined;

/**
 * The problem that an error of the catalogue is: NOT_FOUND, BAD_USER_INPUT and CONFLICT are; a caller that may not ask at all, and
 * what doesn't work right now, stays an error.
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

/** What a payload is when the change was not made: its own fields null, and the problem. */
export const refused = (problem: Problem): { problems: Problem[] } => ({ problems: [problem] });

/**
 * Does a change and answers with its payload, to which `problems` is added.
 * @param mapping for errors of the domain; those of the catalogue are known
 * @throws what is no problem of the caller's making
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
