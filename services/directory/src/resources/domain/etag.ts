import { etagMatches, weakEtag } from '@ostiary/scim';
import { VersionMismatch } from '../../errors/index.ts';

/**
 * Checks `If-Match` against the current version (RFC 7644 §3.14).
 * @throws ScimError 412 when none of the tags is the current one
 */
export function mustMatch(ifMatch: readonly string[] | undefined, version: number): void {
  if (ifMatch !== undefined && !etagMatches(ifMatch, weakEtag(version))) {
    throw new VersionMismatch(version);
  }
}
