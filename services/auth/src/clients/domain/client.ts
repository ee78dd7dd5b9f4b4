import type { IdPage } from '@ostiary/service';

export type ClientType = 'confidential' | 'public';

export type ClientAuthMethod =
  | 'none'
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'client_secret_jwt'
  | 'private_key_jwt';

/** A registered OAuth client (RFC 7591 §2). Frozen: it may come from a cache shared by all requests. */
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
  /** Resource indicators (RFC 8707) it may ask for, besides the tenant's own API. */
  readonly resources: readonly string[];
  /** Counts how often everything issued to this client was revoked. */
  readonly epoch: number;
  /** Grows with every change of the registration. */
  readonly version: number;
  readonly disabled: boolean;
  /** It is disabled because its tenant is suspended, of which this process may not have heard otherwise. */
  readonly suspended?: true;
  /** Signature of its ID tokens. */
  readonly idTokenSignedResponseAlg: 'RS256' | 'ES256' | 'PS256' | 'EdDSA';
  /** False: a first-party client, for which people aren't asked for consent. */
  readonly requireConsent: boolean;
  readonly clientUri: string | null;
  readonly logoUri: string | null;
  /** What else was registered, under the wire names (`application_type`, …). */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

export interface ClientStore {
  /** A client of this tenant, disabled ones included; null when there is none. Cached for at most a second. */
  find(tenant: string, clientId: string): Promise<Client | null>;
  /** A stretch of the list, which is in the order of creation. */
  list(
    tenant: string,
    page: ClientPage,
    filter?: ClientFilter,
  ): Promise<{ clients: Client[]; total: number }>;
}

/** Which stretch of a list of clients. Its clients come in its direction, nearest to the position first. */
export interface ClientPage extends Omit<IdPage, 'position'> {
  /** The client behind which it begins, in its direction. */
  position?: { createdAt: Date; clientId: string } | undefined;
}

/** Narrows a list of clients; what is left out doesn't narrow. */
export interface ClientFilter {
  /** What the name contains, whatever its case. */
  name?: string;
  type?: ClientType;
  disabled?: boolean;
  grantType?: string;
  scope?: string;
  /** The person or group whose they are. */
  ownerId?: string;
  /** Whether they are anybody's. */
  hasOwner?: boolean;
}
