import {
  invalidInput,
  notFoundProblem,
  notUnique,
  type Problem,
  stateConflict,
  versionConflict,
} from '@ostiary/graph';
import { graphDetail, ScimError } from '@ostiary/scim';
import { InvalidAttribute, NotUniqueValue, VersionMismatch } from '../refusals.ts';

/** Returns the attribute's name in the graph, where `roles` are Ostiary's own. */
const graphName = (attribute: string | undefined): string | undefined =>
  attribute?.replace(/^roles(?=\.|$)/, 'scimRoles');

/** Maps an error of the domain to a problem of the graph. */
export function directoryProblem(cause: unknown): Problem | undefined {
  if (cause instanceof VersionMismatch) return versionConflict(cause.currentVersion);
  if (cause instanceof NotUniqueValue) return notUnique(graphDetail(cause), graphName(cause.attribute));
  if (cause instanceof InvalidAttribute) return invalidInput(graphDetail(cause), graphName(cause.attribute));
  if (!(cause instanceof ScimError)) return undefined;
  if (cause.status === 404) return notFoundProblem(graphDetail(cause));
  if (cause.status === 412) return versionConflict();
  if (cause.status === 409)
    return cause.scimType === 'uniqueness'
      ? notUnique(graphDetail(cause))
      : stateConflict(graphDetail(cause));
  if (cause.status === 400 || cause.status === 413) return invalidInput(graphDetail(cause));
  return undefined;
}
