import {
  checkResources,
  isKnownScope,
  isOidcScope,
  knownResource,
  ownResources,
} from '../../../access/index.ts';
import { apiIdentifiersOf, apisOf, type ClientApi, type ClientWithApis } from '../../../clients/index.ts';
import { invalidScope, invalidTarget, scopeRefused } from '../../../platform/index.ts';

type TargetingClient = ClientWithApis & { readonly resources: readonly string[] };

/** Scopes and audiences of a request or a token. */
export interface Target {
  scopes: string[];
  /** Resource indicators. Empty for the tenant's own API. */
  resources: string[];
}

/** Returns the resources for which a client may request tokens: the tenant's own, those listed, and APIs by scope. */
export const resourcesOf = (client: TargetingClient, issuer: string): string[] => [
  ...ownResources(issuer),
  ...client.resources,
  ...apiIdentifiersOf(client),
];

/** Returns the granted resources that the client's registration still permits. */
export function resourcesLeft(granted: readonly string[], client: TargetingClient, issuer: string): string[] {
  const allowed = resourcesOf(client, issuer);
  return granted.filter((resource) => knownResource(resource, allowed) !== undefined);
}

/** Does the same. @throws OAuthError invalid_target if none is left */
export function permittedResources(
  granted: readonly string[],
  client: TargetingClient,
  issuer: string,
): string[] {
  const left = resourcesLeft(granted, client, issuer);
  if (left.length === 0) throw invalidTarget('None of the granted resources is still allowed.');
  return left;
}

/**
 * Checks the `resource` parameters of a token request.
 * @param further resources for which only this client may request tokens
 * @throws OAuthError invalid_target
 */
export function resourcesOfTokenRequest(
  asked: readonly string[],
  client: TargetingClient,
  issuer: string,
  further: readonly string[] = [],
): string[] {
  const resources = checkResources(asked, [...resourcesOf(client, issuer), ...further]);
  if (resources.length > 1 && apisNamed(client, resources).length > 0) {
    throw invalidTarget('A token for a defined API has no other audience: name one resource.');
  }
  return resources;
}

/**
 * Determines scopes and resources of a request. Without `resource` the scopes determine the API (RFC 9068 §3).
 * @param asked `byDefault`: the request names no scopes, and those that do not fit are omitted
 * @throws OAuthError invalid_scope
 */
export function targetOfRequest(
  client: TargetingClient,
  { scopes, byDefault, resources }: Target & { byDefault: boolean },
): Target {
  const named = resources.length === 0 ? apisMeant(client, scopes, byDefault) : apisNamed(client, resources);
  const onlyApis = named.length > 0 && named.length >= resources.length;
  const isForeign = (scope: string): boolean =>
    isKnownScope(scope) ? onlyApis && !isOidcScope(scope) : !named.some((api) => api.scopes.includes(scope));
  const foreign = scopes.find(isForeign);
  if (foreign !== undefined && !byDefault) {
    throw scopeRefused(foreign, 'does not belong to an API that resource names');
  }
  const left = scopes.filter((scope) => !isForeign(scope));
  for (const api of named) requireScopeOf(api, left, client);
  return {
    scopes: left,
    resources: resources.length === 0 ? named.map(({ identifier }) => identifier) : resources,
  };
}

/**
 * Determines scopes and audiences of one token. A token for a defined API has only this audience, by default the first
 * granted one, and of the scopes only those of the API and of OpenID Connect.
 * @throws OAuthError invalid_scope if none of the API's scopes is left
 */
export function targetOfToken(
  client: TargetingClient,
  { scopes, resources }: { scopes: readonly string[]; resources: readonly string[] },
): Target & { api?: ClientApi } {
  const named = apisNamed(client, resources);
  const api = apiOfToken(client, resources);
  if (api === undefined) {
    return {
      scopes: scopes.filter(isKnownScope),
      resources: resources.filter((one) => !named.some(({ identifier }) => isSame(identifier, one))),
    };
  }
  const left = scopes.filter((scope) => isOidcScope(scope) || api.scopes.includes(scope));
  requireScopeOf(api, left, client);
  return { scopes: left, resources: [api.identifier], api };
}

/** Returns the API that is the audience of a token for these resources. */
export const apiOfToken = (client: TargetingClient, [first = '']: readonly string[]): ClientApi | undefined =>
  apisOf(client).find(({ identifier }) => isSame(identifier, first));

/** Compares two resources. An address with an empty path has two forms (RFC 3986 §6.2.3). */
const isSame = (one: string, other: string): boolean => knownResource(one, [other]) !== undefined;

const apisNamed = (client: TargetingClient, resources: readonly string[]): ClientApi[] =>
  apisOf(client).filter(({ identifier }) => resources.some((one) => isSame(identifier, one)));

/** Returns the API to which the scopes belong; none for the tenant's own API. @throws OAuthError invalid_scope */
function apisMeant(client: TargetingClient, scopes: readonly string[], byDefault: boolean): ClientApi[] {
  const apis = apisOf(client).filter((api) => api.scopes.some((scope) => scopes.includes(scope)));
  const isOfTenant = scopes.some((scope) => isKnownScope(scope) && !isOidcScope(scope));
  if (apis.length === 0 || (apis.length === 1 && !isOfTenant)) return apis;
  if (byDefault) return [];
  throw invalidScope('The scopes belong to several APIs: name one of the APIs with resource.');
}

/** A client that lists the API among its resources may have tokens without a scope, as for a resource without API. */
function requireScopeOf(api: ClientApi, scopes: readonly string[], client: TargetingClient): void {
  const isListed = client.resources.some((one) => isSame(api.identifier, one));
  if (isListed || api.scopes.some((scope) => scopes.includes(scope))) return;
  throw invalidScope('A token for this resource requires a scope of its API.');
}
