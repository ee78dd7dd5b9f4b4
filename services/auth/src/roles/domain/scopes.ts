import { apiScopes, oidcScopes, selfScopes } from '@ostiary/access';
import { invalidScope, invalidTarget, withinScopes } from '../../protocol/index.ts';
import type { CountingRoles } from './counting-roles.ts';
import { scopesOfRoles } from './roles.ts';

/** scope-token of RFC 6749 §3.3: printable ASCII without space, quote and backslash. */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/;

const maxScopeLength = 4_096;
const maxScopes = 100;

const api: ReadonlySet<string> = new Set(Object.keys(apiScopes));
const known: ReadonlySet<string> = new Set(Object.keys({ ...oidcScopes, ...selfScopes, ...apiScopes }));

const byName: ReadonlySet<string> = new Set(['offline_access', 'address', 'phone']);

/** Whether it says something about whoever signs in (OpenID Connect), and opens nothing else. */
export const isOidcScope = (scope: string): boolean => Object.hasOwn(oidcScopes, scope);

/**
 * Scopes of a request that names none (RFC 6749 §3.3): those of the registration, but for what has to be asked for by name,
 * to go on without the person, to learn where they live and their number, or to change what is theirs.
 */
export const defaultScopes = (registered: readonly string[]): string[] =>
  registered.filter((scope) => !byName.has(scope) && !Object.hasOwn(selfScopes, scope));

export const isKnownScope = (scope: string): boolean => known.has(scope);

/**
 * Splits a `scope` parameter into distinct scopes, in the order given.
 * @throws OAuthError invalid_scope when it is malformed, empty or unreasonably long
 */
export function parseScope(text: string): string[] {
  if (text.length > maxScopeLength) throw invalidScope('scope is too long.');
  const scopes = [...new Set(text.split(' '))].filter((scope) => scope !== '');
  if (scopes.length === 0 || scopes.length > maxScopes || !scopes.every((scope) => scopeToken.test(scope))) {
    throw invalidScope('scope is malformed.');
  }
  return scopes;
}

/**
 * The scopes of a client acting for itself: what it asks for, or by default all it is registered for. Scopes
 * about a person (openid, profile, …) mean nothing without one.
 * @throws OAuthError invalid_scope for anything it isn't registered for
 */
export function scopesForClient(registered: readonly string[], requested: string | undefined): string[] {
  const allowed = registered.filter((scope) => api.has(scope));
  if (requested === undefined) return allowed;
  return withinScopes(
    parseScope(requested),
    (scope) => allowed.includes(scope),
    'is not one that the client may use for itself',
  );
}

/**
 * What is left of granted scopes once the client's registration and the person's roles have had their say: both
 * may have shrunk since the person agreed. API scopes reach a person only through a role.
 */
export function permittedScopes(
  granted: readonly string[],
  client: { scopes: readonly string[] },
  roles: CountingRoles,
): string[] {
  const reached = scopesOfRoles(roles);
  return granted.filter((scope) => client.scopes.includes(scope) && (reached.has(scope) || !api.has(scope)));
}

/** What is left of a person's scopes when none of their roles counts. */
export const withoutRoleScopes = (scopes: readonly string[]): string[] =>
  scopes.filter((scope) => !api.has(scope));

/**
 * What every client may name as a resource: the tenant's whole API (the issuer), its SCIM surface, and the graph, at the
 * address for all tenants or at the tenant's own. A token for SCIM is worth nothing at the graph, nor the reverse.
 */
export const ownResources = (issuer: string): string[] => [
  issuer,
  `${issuer}/scim/v2`,
  `${issuer}/graphql`,
  `${issuer.slice(0, issuer.lastIndexOf('/t/'))}/graphql`,
];

/** An http URI with an empty path, which is the same resource with and without a slash (RFC 3986 §6.2.3). */
const emptyPath = /^(https?:\/\/[^/?#]+)\/?(\?.*)?$/i;

const withoutEmptyPath = (uri: string): string => uri.replace(emptyPath, '$1$2');

/** Returns the known resource that a requested one names, in the form in which it is known; undefined when there is none. */
export const knownResource = (requested: string, known: readonly string[]): string | undefined =>
  known.includes(requested)
    ? requested
    : known.find((resource) => withoutEmptyPath(resource) === withoutEmptyPath(requested));

/**
 * Resource indicators (RFC 8707 §2) a token request may name: absolute URIs without a fragment, and among those
 * allowed.
 * @returns them as they are allowed
 * @throws OAuthError invalid_target
 */
export function checkResources(requested: readonly string[], allowed: readonly string[]): string[] {
  const resources = [...new Set(requested)];
  if (resources.length > 10) throw invalidTarget('Too many resources.');
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
