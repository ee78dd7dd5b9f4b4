import { oidcScopes } from '@ostiary/access';
import { isUuid } from '@ostiary/service';
import { invalidRequest } from '../../../platform/index.ts';
import type { Api } from '../../apis/domain/api.ts';
import { type Client, documentHostOf, isDocumentClientId } from '../../domain/client.ts';
import type { ClientMetadata } from '../../domain/client-registry.ts';
import { signInScopes } from '../../domain/clients.ts';
import { type ClientDocument, isLoopback } from './document.ts';

export const registrationModes = ['off', 'token', 'open'] as const;

/** Clients of a tenant that no administrator approves: those with a metadata document or open registration. */
export interface DocumentPolicy {
  /** Hosts of documents, with a port other than 443; `*` for every host. None: such clients are unknown. */
  hosts: readonly string[];
  /** Dynamic registration: none, with an initial access token, or also without one. */
  registration: (typeof registrationModes)[number];
  /** Hosts of redirect URIs of open registrations, besides loopback addresses; as `hosts`. */
  redirectHosts: readonly string[];
  /** Scopes of OpenID Connect that the clients may request. */
  scopes: readonly string[];
  /** Ids of the defined APIs of which the clients may request all scopes. */
  apiIds: readonly string[];
  /** Incremented by every change; 0 before the first. */
  version: number;
}

export type DocumentPolicySettings = Omit<DocumentPolicy, 'version'>;

export const closedPolicy: DocumentPolicy = {
  hosts: [],
  registration: 'token',
  redirectHosts: [],
  scopes: signInScopes(['refresh_token']),
  apiIds: [],
  version: 0,
};

const maxHosts = 100;
/** Maximum number of APIs of a policy. */
export const maxApis = 100;
const anyHost = '*';

/** @throws OAuthError invalid_request */
export function checkPolicy({
  hosts,
  registration,
  redirectHosts,
  scopes,
  apiIds,
}: DocumentPolicySettings): DocumentPolicySettings {
  checkHosts('hosts', hosts);
  checkHosts('redirectHosts', redirectHosts);
  if (!scopes.every((scope) => Object.hasOwn(oidcScopes, scope))) {
    throw invalidRequest(`scopes must be among ${Object.keys(oidcScopes).join(', ')}.`);
  }
  if (apiIds.length > maxApis) throw invalidRequest(`apiIds must have at most ${maxApis} ids of APIs.`);
  // The same answer as to the id of another tenant's API.
  if (!apiIds.every(isUuid)) throw unknownApi();
  return {
    hosts: unique(hosts),
    registration,
    redirectHosts: unique(redirectHosts),
    scopes: unique(scopes),
    apiIds: unique(apiIds),
  };
}

function checkHosts(name: string, hosts: readonly string[]): void {
  if (hosts.length > maxHosts) throw invalidRequest(`${name} must have at most ${maxHosts} entries.`);
  if (hosts.every((host) => host === anyHost || documentHostOf(`https://${host}/client`) === host)) return;
  throw invalidRequest(
    `${name} must be * or host names in lower case and ASCII form, as in app.example or app.example:8443.`,
  );
}

export const unknownApi = (): Error => invalidRequest('apiIds names an API that does not exist.');

const unique = (values: readonly string[]): string[] => [...new Set(values)];

export const isOpen = ({ hosts }: DocumentPolicy): boolean => hosts.length > 0;

/** Reports whether the policy allows a client with a metadata document. */
export const allowsClient = ({ hosts }: DocumentPolicy, clientId: string): boolean =>
  isDocumentClientId(clientId) &&
  (hosts.includes(anyHost) || hosts.includes(documentHostOf(clientId) ?? anyHost));

/** Reports whether the policy allows a redirect URI of a client that registered itself openly. */
export function allowsRedirect({ redirectHosts }: DocumentPolicy, uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, host, hostname } = new URL(uri);
  if (protocol === 'http:') return isLoopback(hostname);
  return protocol === 'https:' && (redirectHosts.includes(anyHost) || redirectHosts.includes(host));
}

/** Reports whether the policy allows a stored client that no administrator approved. */
export const stillAllows = (
  policy: DocumentPolicy,
  { clientId, redirectUris }: Pick<Client, 'clientId' | 'redirectUris'>,
): boolean =>
  isDocumentClientId(clientId)
    ? allowsClient(policy, clientId)
    : policy.registration === 'open' && redirectUris.every((uri) => allowsRedirect(policy, uri));

/** Scopes and resources that the clients of a tenant may request. */
export interface Allowed {
  scopes: readonly string[];
  resources: readonly string[];
}

/**
 * Returns the access that the policy allows. An API without scopes is a resource of the client; others are named by
 * their scopes, so that a token for them has at least one.
 */
export const allowedBy = ({ scopes }: DocumentPolicy, apis: readonly Api[]): Allowed => ({
  scopes: [...scopes, ...apis.flatMap((api) => api.scopes.map(({ name }) => name))],
  resources: apis.filter((api) => api.scopes.length === 0).map(({ identifier }) => identifier),
});

/** Returns the registration of the client of a document. Scopes beyond the policy are omitted. */
export function registrationBy({ metadata, scopes }: ClientDocument, allowed: Allowed): ClientMetadata {
  const isUsable = (scope: string): boolean =>
    (scopes === undefined || scopes.includes(scope)) &&
    (scope !== 'offline_access' || metadata.grant_types?.includes('refresh_token') === true);
  return { ...metadata, scope: allowed.scopes.filter(isUsable).join(' '), resources: allowed.resources };
}

/** Returns a registration without the scopes and resources that the policy no longer allows. */
export const narrowedTo = (current: ClientMetadata, allowed: Allowed): ClientMetadata => ({
  ...current,
  scope: (current.scope ?? '')
    .split(' ')
    .filter((name) => allowed.scopes.includes(name))
    .join(' '),
  resources: (current.resources ?? []).filter((resource) => allowed.resources.includes(resource)),
});
