import type { Problem } from '../../graph/index.ts';
import { isAbout, type MemberName } from './metadata.ts';

/** Returns the message of the problem of one member. */
export const memberProblem = (problems: readonly Problem[], name: MemberName): string | undefined =>
  problems.find(
    ({ message, attribute, path }) => attribute === name || path?.at(-1) === name || isAbout(message, name),
  )?.message;

/** Returns the message of the first problem that concerns none of these members. */
export const otherMemberProblem = (
  problems: readonly Problem[],
  names: readonly MemberName[],
): string | undefined =>
  problems.find((problem) => !names.some((name) => memberProblem([problem], name) !== undefined))?.message;
