import { invalidClientMetadata, invalidRedirectUri } from '../../../platform/index.ts';
import type { Client } from '../../domain/client.ts';
import { nameOf } from '../../domain/client-metadata.ts';
import type { ClientMetadata } from '../../domain/client-registry.ts';
import type { OpenRegistration } from '../../domain/dynamic-registration.ts';
import { type ClientDocument, claimedMembers, usedGrants } from './document.ts';
import type { DocumentClientStore } from './document-clients.ts';
import { allowsRedirect, type DocumentPolicy } from './document-policy.ts';
import type { SourceLimit } from './source-limit.ts';

/** Registers clients without an initial access token while the policy of a tenant is open. */
export class OpenRegistrations implements OpenRegistration {
  readonly #store: Pick<DocumentClientStore, 'policy' | 'register'>;
  readonly #limit: SourceLimit;

  constructor(o: {
    documentClientStore: Pick<DocumentClientStore, 'policy' | 'register'>;
    limit: SourceLimit;
  }) {
    this.#store = o.documentClientStore;
    this.#limit = o.limit;
  }

  async mode(tenant: string): Promise<DocumentPolicy['registration']> {
    return (await this.#store.policy(tenant)).registration;
  }

  async register(tenant: string, asked: Partial<ClientMetadata>, address: string): Promise<Client | null> {
    await this.#limit({ tenant, address });
    return this.#store.register(tenant, asked);
  }
}

/**
 * Returns the registration of a client without an initial access token, except for the scopes and resources of the
 * policy. A public client replaces one with a secret (RFC 7591 §2), because any caller can register one.
 * @throws OAuthError invalid_client_metadata, invalid_redirect_uri
 */
export function openRegistration(asked: Partial<ClientMetadata>, policy: DocumentPolicy): ClientDocument {
  const {
    grant_types: grants = ['authorization_code'],
    redirect_uris: redirectUris = [],
    token_endpoint_auth_method: method,
  } = asked;
  if (!grants.includes('authorization_code')) {
    throw invalidClientMetadata('grant_types must include authorization_code.');
  }
  // Any caller could make this server send requests to any host.
  if (asked.jwks_uri !== undefined) {
    throw invalidClientMetadata('jwks_uri requires an initial access token. Use jwks instead.');
  }
  if (!redirectUris.every((uri) => allowsRedirect(policy, uri))) {
    throw invalidRedirectUri(
      'redirect_uris must be on loopback addresses or on hosts that the tenant allows.',
    );
  }
  const own = Object.fromEntries(
    claimedMembers.flatMap((name) => (asked[name] === undefined ? [] : [[name, asked[name]]])),
  ) as Partial<ClientMetadata>;
  return {
    metadata: {
      ...own,
      client_name: own.client_name ?? nameOf(asked),
      token_endpoint_auth_method: method === 'private_key_jwt' ? method : 'none',
      redirect_uris: redirectUris,
      grant_types: usedGrants.filter((grant) => grants.includes(grant)),
      response_types: ['code'],
      require_consent: true,
    },
    scopes: asked.scope?.split(' ').filter((name) => name !== ''),
  };
}
