import { knownResource, ownResources } from '../../roles/index.ts';
import type { Client } from './client.ts';

/**
 * Stands for the tenant's own API, under all the names it has in tokens: a registration that names it goes on being right
 * when the public address of the platform changes.
 */
export const tenantApi = 'urn:ostiary:tenant-api';

/** The resource identifiers (RFC 9728 §1.2) that a client serves, if an administrator registered it as a resource server. */
export const protectedResourcesOf = (client: Client): readonly string[] =>
  (client.metadata as { protected_resources?: string[] }).protected_resources ?? [];

/**
 * Whether a token with this audience is meant for the client as the server of a resource (RFC 7662 §4). What a client may
 * ask tokens for (`resources`) says nothing about that: every app that calls an API has the API among them.
 */
export function isResourceServerFor(client: Client, issuer: string, audience: readonly string[]): boolean {
  if (audience.includes(client.clientId)) return true;
  return protectedResourcesOf(client)
    .flatMap((resource) =>
      resource === tenantApi ? [...ownResources(issuer), userinfoAudience(issuer)] : resource,
    )
    .some((resource) => knownResource(resource, audience) !== undefined);
}

/** Audience of tokens that are good at userinfo and nowhere else of ours. */
export const userinfoAudience = (issuer: string): string => `${issuer}/userinfo`;
