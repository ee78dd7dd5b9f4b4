import { apiScopes, oidcScopes, selfScopes } from '@ostiary/access';
import { invalidScope, invalidTarget, withinScopes } from '../../../platform/index.ts';
import type { CountingRoles } from './counting-roles.ts';
import { scopesOfRoles } from './roles.ts';

/** scope-token of RFC 6749 §3.3: printable ASCII without space, quote and backslash. */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/;

const maxScopeLength = 4_096;
const maxScopes = 100;

const api: ReadonlySet<string> = new Set(Object.keys(apiScopes));
const known: ReadonlySet<string> = new Set(Object.keys({ ...oidcScopes, ...selfScopes, ...apiScopes }));

const byName: ReadonlySet<string> = new Set(['offline_access', 'address', 'phone']);

/** Reports whether the scope only gives claims about the user (OpenID Connect). */
export const isOidcScope = (scope: string): boolean => Object.hasOwn(oidcScopes, scope);

/**
 * Returns the scopes of a request that names none (RFC 6749 §3.3): those of the registration, except the scopes that
 * must be requested by name: for offline access, address and phone number, and changes of the user's account.
 */
export const defaultScopes = (registered: readonly string[]): string[] =>
  registered.filter((scope) => !byName.has(scope) && !Object.hasOwn(selfScopes, scope));

export const isKnownScope = (scope: string): boolean => known.has(scope);

/**
 * Splits a `scope` parameter into distinct scopes, in the given order.
 * @throws OAuthError invalid_scope when it is malformed, empty or too long
 */
export function parseScope(text: string): string[] {
  if (text.length > maxScopeLength)
    throw invalidScope(`scope must have at most ${maxScopeLength} characters.`);
  const scopes = [...new Set(text.split(' '))].filter((scope) => scope !== '');
  if (scopes.length === 0 || scopes.length > maxScopes || !scopes.every((scope) => scopeToken.test(scope))) {
    throw invalidScope(`scope must be a space-separated list of at most ${maxScopes} scopes.`);
  }
  return scopes;
}

interface ScopesOfClient {
  scopes: readonly string[];
  /** Scopes of defined APIs that the client has for itself. */
  ownScopes?: readonly string[];
}

/** Returns the scopes of a client that acts for itself. Those about a user (openid, …) have no meaning without one. */
export const ownScopesOf = ({ scopes, ownScopes = [] }: ScopesOfClient): string[] => [
  ...scopes.filter((scope) => api.has(scope)),
  ...ownScopes.filter((scope) => !isKnownScope(scope)),
];

/**
 * Returns the requested scopes of a client that acts for itself, by default all that it is registered for.
 * @throws OAuthError invalid_scope for a scope that it is not registered for
 */
export function scopesForClient(client: ScopesOfClient, requested: string | undefined): string[] {
  const allowed = ownScopesOf(client);
  if (requested === undefined) return allowed;
  return withinScopes(
    parseScope(requested),
    (scope) => allowed.includes(scope),
    'is not registered for the client, or requires a user',
  );
}

/**
 * Returns the granted scopes that the client's registration and the user's roles still permit, because both may have
 * shrunk since the consent. API scopes require a role of the user.
 */
export function permittedScopes(
  granted: readonly string[],
  client: { scopes: readonly string[] },
  roles: CountingRoles,
): string[] {
  const reached = scopesOfRoles(roles);
  return granted.filter((scope) => client.scopes.includes(scope) && (reached.has(scope) || !api.has(scope)));
}

/** Returns the scopes of a user whose roles do not apply. */
export const withoutRoleScopes = (scopes: readonly string[]): string[] =>
  scopes.filter((scope) => !api.has(scope));

/**
 * Returns the resources that every client may name: the tenant's whole API (the issuer), its SCIM API, and the graph,
 * at the address for all tenants or at the tenant's own. A token for SCIM is rejected by the graph, and the reverse.
 */
export const ownResources = (issuer: string): string[] => [
  issuer,
  `${issuer}/scim/v2`,
  `${issuer}/graphql`,
  `${issuer.slice(0, issuer.lastIndexOf('/t/'))}/graphql`,
];

/** http URI with an empty path, which identifies the same resource with and without a slash (RFC 3986 §6.2.3). */
const emptyPath = /^(https?:\/\/[^/?#]+)\/?(\?.*)?$/i;

export const withoutEmptyPath = (uri: string): string => uri.replace(emptyPath, '$1$2');

/** Returns the URIs that identify the same resource. */
export const formsOf = (uri: string): string[] =>
  emptyPath.test(uri) ? [withoutEmptyPath(uri), uri.replace(emptyPath, '$1/$2')] : [uri];

/** Returns the known resource that a requested one identifies, in its known form; undefined if there is none. */
export const knownResource = (requested: string, known: readonly string[]): string | undefined =>
  known.includes(requested)
    ? requested
    : known.find((resource) => withoutEmptyPath(resource) === withoutEmptyPath(requested));

/**
 * Checks the resource indicators (RFC 8707 §2) of a token request: absolute URIs without a fragment, among the allowed
 * ones.
 * @returns the indicators in their allowed form
 * @throws OAuthError invalid_target
 */
export function checkResources(requested: readonly string[], allowed: readonly string[]): string[] {
  const resources = [...new Set(requested)];
  if (resources.length > 10) throw invalidTarget('A request can name at most 10 resources.');
  const known = resources.map((resource) => {
    if (!URL.canParse(resource) || resource.includes('#')) {
      throw invalidTarget('A resource must be an absolute URI without a fragment.');
    }
    const found = knownResource(resource, allowed);
    if (found === undefined) throw invalidTarget('This resource was not granted to the client.');
    return found;
  });
  return [...new Set(known)];
}
