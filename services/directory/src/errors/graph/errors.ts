import { AccessError } from '@ostiary/access';
import {
  badUserInput,
  conflict,
  type ErrorMapping,
  insufficientUserAuthentication,
  notFound,
} from '@ostiary/graph';
import { graphDetail, ScimError } from '@ostiary/scim';

/** Maps errors of the domain, which are SCIM's, to errors of the graph. */
export const graphErrors: ErrorMapping = (cause) => {
  // The sign-in is too weak or too old (RFC 9470).
  if (cause instanceof AccessError && cause.authentication)
    return insufficientUserAuthentication(cause.authentication);
  if (!(cause instanceof ScimError)) return undefined;
  if (cause.status === 404) return notFound('The referenced object');
  if (cause.status === 409 || cause.status === 412) return conflict(graphDetail(cause));
  if (cause.status === 400 || cause.status === 413) return badUserInput(graphDetail(cause));
  return undefined;
};
