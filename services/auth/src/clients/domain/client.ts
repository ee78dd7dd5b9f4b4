import type { IdPage } from '@ostiary/service';
import type { ClientApi } from '../apis/domain/client-api.ts';

export type ClientType = 'confidential' | 'public';

export type ClientAuthMethod =
  | 'none'
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'client_secret_jwt'
  | 'private_key_jwt';

/** A registered OAuth client (RFC 7591 §2). Frozen, because it may come from a cache that all requests share. */
export interface Client {
  readonly tenant: string;
  readonly clientId: string;
  readonly name: string;
  readonly type: ClientType;
  readonly tokenEndpointAuthMethod: ClientAuthMethod;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly grantTypes: readonly string[];
  readonly responseTypes: readonly string[];
  readonly scopes: readonly string[];
  /** Scopes of defined APIs that it gets for itself (RFC 6749 §4.4). Absent: none. */
  readonly ownScopes?: readonly string[];
  /** Defined APIs of its scopes and resources. Absent: none. */
  readonly apis?: readonly ClientApi[];
  /** Resource indicators (RFC 8707) that it may request, besides the tenant's own API. */
  readonly resources: readonly string[];
  /** Number of revocations of everything issued to this client. */
  readonly epoch: number;
  /** Incremented with every change of the registration. */
  readonly version: number;
  readonly disabled: boolean;
  /** Set when the client is disabled because its tenant is suspended. The tenant cache of this process may be older. */
  readonly suspended?: true;
  /** Signature algorithm of its ID tokens. */
  readonly idTokenSignedResponseAlg: 'RS256' | 'ES256' | 'PS256' | 'EdDSA';
  /** False: a first-party client, for which users are not asked for consent. */
  readonly requireConsent: boolean;
  readonly clientUri: string | null;
  readonly logoUri: string | null;
  /** Other registered members, under the wire names (`application_type`, …). */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

export interface ClientStore {
  /** Returns a client of this tenant, also a disabled one; null when there is none. Cached for at most a second. */
  find(tenant: string, clientId: string): Promise<Client | null>;
  /** Returns one page of the clients in order of creation. */
  list(
    tenant: string,
    page: ClientPage,
    filter?: ClientFilter,
  ): Promise<{ clients: Client[]; total: number }>;
}

/** A page of a list of clients, in its direction, nearest to the position first. */
export interface ClientPage extends Omit<IdPage, 'position'> {
  /** Client after which the page begins, in its direction. */
  position?: { createdAt: Date; clientId: string } | undefined;
}

/** Filter of a list of clients. */
export interface ClientFilter {
  /** Substring of the name, case-insensitive. */
  name?: string;
  type?: ClientType;
  disabled?: boolean;
  grantType?: string;
  scope?: string;
  /** User or group that owns the clients. */
  ownerId?: string;
  /** True for clients with an owner, false for those without. */
  hasOwner?: boolean;
}

/** Identifies a client of any tenant. */
export interface ClientId {
  tenant: string;
  clientId: string;
}

/** Returns the text that identifies a client in caches and notifications. */
export const clientKey = ({ tenant, clientId }: ClientId): string => `${tenant}/${clientId}`;

/** Returns the client that `clientKey` names. A tenant's slug has no slash, so the first one separates. */
export function idsOf(key: string): ClientId {
  const slash = key.indexOf('/');
  return { tenant: key.slice(0, slash), clientId: key.slice(slash + 1) };
}

/** Accepts ids that need no escaping in a form, a URL or a Basic header. */
export const isAssignedClientId = (text: string): boolean => /^[A-Za-z0-9._~-]{1,128}$/.test(text);

const maxUrlLength = 512;

/**
 * Accepts the URL of a client metadata document (draft-ietf-oauth-client-id-metadata-document §3): https, a path,
 * neither fragment, query, credentials nor dot segments. Ids are compared as text, so only the normal form of a URL is
 * accepted. A host in another script has its ASCII form (RFC 5891), which does not resemble other hosts.
 */
export function isDocumentClientId(text: string): boolean {
  if (text.length > maxUrlLength || !/^https:\/\/[\x21-\x7e]+$/.test(text) || !URL.canParse(text))
    return false;
  const { href, hostname, pathname, username, password } = new URL(text);
  const isPlain = href === text && !/[?#]/.test(text) && username === '' && password === '';
  return isPlain && pathname !== '/' && isHostName(hostname);
}

/** Accepts DNS names, but no addresses. */
const isHostName = (host: string): boolean => /^(?=.*[a-z])[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(host);

/** Accepts the id of a client that registered itself without an initial access token. Such ids are reserved. */
export const isOpenClientId = (text: string): boolean =>
  /^open-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** Reports whether no administrator approved the registration of a client: only the policy of its tenant limits it. */
export const isUnapprovedClientId = (text: string): boolean =>
  isDocumentClientId(text) || isOpenClientId(text);

/** Accepts the id of a client of either kind. */
export const isClientId = (text: string): boolean => isAssignedClientId(text) || isDocumentClientId(text);

/** Returns the host of the URL of a client metadata document, with a port other than 443; undefined for other ids. */
export const documentHostOf = (clientId: string): string | undefined =>
  isDocumentClientId(clientId) ? new URL(clientId).host : undefined;

/** Last use of a client. */
export interface ClientUse {
  clientId: string;
  lastUsedAt: Date;
}
