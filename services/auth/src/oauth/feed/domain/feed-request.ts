import { knownResource, ownResources } from '../../../access/index.ts';
import { type Client, protectedResourcesOf, tenantApi, userinfoAudience } from '../../../clients/index.ts';
import { invalidRequest, invalidTarget, type Parameters, single } from '../../../platform/index.ts';

/** Maximum time in seconds that a response is held. A longer `Prefer: wait` is reduced to it. */
const maxWaitSeconds = 10;

/** Parameters with credentials, which must not be in an address (RFC 6749 §2.3.1). */
const credentials = ['client_secret', 'client_assertion', 'client_assertion_type'];

/** @throws OAuthError invalid_request for a query with credentials */
export function refuseCredentials(query: Parameters): void {
  const name = credentials.find((one) => query.has(one));
  if (name !== undefined) throw invalidRequest(`${name} must be in the body of a POST request.`);
}

/**
 * Returns the resource of a request, in its registered form. The tenant's own APIs have no public feed.
 * @throws OAuthError invalid_target, the same for unknown resources and those of other clients
 */
export function audienceOf(client: Client, issuer: string, parameters: Parameters): string {
  const ours = [...ownResources(issuer), userinfoAudience(issuer)];
  const served = protectedResourcesOf(client).filter(
    (resource) => resource !== tenantApi && knownResource(resource, ours) === undefined,
  );
  const asked = single(parameters, 'audience');
  const found = asked === undefined ? served[0] : knownResource(asked, served);
  const isAmbiguous = asked === undefined && (parameters.has('audience') || served.length > 1);
  if (found === undefined || isAmbiguous)
    throw invalidTarget('audience must be one of the protected resources of the client.');
  return found;
}

/** Returns the seconds for which a client prefers to wait (RFC 7240 §4.3); 0 without a valid preference. */
export function preferredWait(prefer: string | readonly string[] | undefined): number {
  for (const preference of [prefer ?? []].flat().join(',').split(',')) {
    const [, seconds] = /^\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:;.*)?$/i.exec(preference) ?? [];
    // The first of repeated preferences applies (RFC 7240 §2).
    if (seconds !== undefined) return Math.min(maxWaitSeconds, Number(seconds));
  }
  return 0;
}

/** Reports whether a client accepts server-sent events. */
export const wantsEvents = (accept: string | undefined): boolean =>
  (accept ?? '').split(',').some((type) => /^\s*text\/event-stream\s*(?:;|$)/i.test(type));
