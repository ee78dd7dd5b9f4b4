import { knownResource, ownResources } from '../../access/index.ts';
import type { Client } from './client.ts';

/**
 * Identifier of the tenant's own API in registrations. It stays valid when the public address of the platform changes.
 */
export const tenantApi = 'urn:ostiary:tenant-api';

/**
 * Returns the resource identifiers (RFC 9728 §1.2) of a client that an administrator registered as a resource server.
 */
export const protectedResourcesOf = (client: Client): readonly string[] =>
  (client.metadata as { protected_resources?: string[] }).protected_resources ?? [];

/**
 * Reports whether a token's audience includes the client as a resource server (RFC 7662 §4). The `resources` that a
 * client may request do not count: every app that calls an API has them.
 */
export function isResourceServerFor(client: Client, issuer: string, audience: readonly string[]): boolean {
  if (audience.includes(client.clientId)) return true;
  return protectedResourcesOf(client)
    .flatMap((resource) =>
      resource === tenantApi ? [...ownResources(issuer), userinfoAudience(issuer)] : resource,
    )
    .some((resource) => knownResource(resource, audience) !== undefined);
}

/** Audience of tokens that are valid at userinfo only. */
export const userinfoAudience = (issuer: string): string => `${issuer}/userinfo`;
