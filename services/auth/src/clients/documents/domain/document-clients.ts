import { isDeepStrictEqual } from 'node:util';
import { TooManyRequests } from '@ostiary/service';
import { LRUCache } from 'lru-cache';
import { type ChangeTerms, OAuthError } from '../../../platform/index.ts';
import {
  type Client,
  type ClientId,
  type ClientStore,
  clientKey,
  isDocumentClientId,
  isUnapprovedClientId,
} from '../../domain/client.ts';
import { clientMetadata } from '../../domain/client-metadata.ts';
import type { ClientMetadata } from '../../domain/client-registry.ts';
import type { ClientRecord } from '../../domain/clients.ts';
import type { ValidMetadata } from '../../domain/valid-metadata.ts';
import { type ClientDocument, UnusableDocument } from './document.ts';
import { allowsClient, type DocumentPolicy, type DocumentPolicySettings, isOpen } from './document-policy.ts';
import type { SourceLimit } from './source-limit.ts';

export interface DocumentRequest {
  /** Source address of the request. */
  address: string;
  /** Whether the client is stored. Requests for others are limited by their source. */
  isStored: boolean;
  /** Fetches a document that was not fetched recently, regardless of its lifetime. */
  refresh?: boolean;
}

/** Documents at the ids of clients. */
export interface DocumentSource {
  /**
   * Returns the document of a client, at most as old as its server permits, and whether it was fetched now.
   * @throws UnusableDocument; TooManyRequests
   */
  get(client: ClientId, request: DocumentRequest): Promise<{ document: ClientDocument; isNew: boolean }>;
}

/** Policies of tenants, and the stored clients that they allow without an administrator. */
export interface DocumentClientStore {
  policy(tenant: string): Promise<DocumentPolicy>;
  /**
   * Changes the given settings. Clients that are no longer allowed are deleted with everything issued to them, and the
   * others lose scopes and resources beyond the policy.
   * @throws OAuthError invalid_request; VersionChanged
   */
  changePolicy(
    tenant: string,
    change: Partial<DocumentPolicySettings>,
    terms?: ChangeTerms,
  ): Promise<DocumentPolicy>;
  /**
   * Stores a client that registers itself without an initial access token (RFC 7591 §3). Returns null if the policy does
   * not allow it.
   * @throws OAuthError invalid_client_metadata, invalid_redirect_uri; access_denied if the tenant has too many
   */
  register(tenant: string, asked: Partial<ClientMetadata>): Promise<Client | null>;
  /** Returns the registration that a document and the policy result in. @throws OAuthError as a registration */
  registration(tenant: string, document: ClientDocument): Promise<ValidMetadata>;
  /** Returns the client of a registration that is not stored. */
  preview(client: ClientId, registration: ValidMetadata): Promise<Client>;
  /**
   * Stores the registration of a document. Returns null if the policy does not allow the client.
   * @throws OAuthError as a registration; access_denied if the tenant has too many such clients
   */
  store(client: ClientId, document: ClientDocument): Promise<Client | null>;
  /** Reports whether a user has a live grant of a client. */
  hasGrantOf(client: ClientId, subjectId: string): Promise<boolean>;
}

export interface DocumentClientsOptions {
  clients: Pick<ClientStore, 'find'> & {
    record(tenant: string, clientId: string): Promise<ClientRecord | null>;
  };
  documents: DocumentSource;
  documentClientStore: DocumentClientStore;
  /** Counts requests that authenticate a client which is not stored. */
  limit: SourceLimit;
  /** Counts clients without approval that a user allows for the first time. @throws TooManyRequests */
  newClientLimit: (user: { tenant: string; subjectId: string }) => Promise<void>;
}

/**
 * Clients whose id is the URL of their metadata document (draft-ietf-oauth-client-id-metadata-document), besides
 * registered ones. A client is stored when the first user allows it, so that visitors cannot fill the table.
 */
export class DocumentClients {
  readonly #o: DocumentClientsOptions;
  readonly #registrations = new LRUCache<
    string,
    { document: ClientDocument; policy: DocumentPolicy; registration: ValidMetadata }
  >({ max: 2_000 });

  constructor(o: DocumentClientsOptions) {
    this.#o = o;
  }

  /** Reports whether a tenant accepts such clients. */
  async areOpen(tenant: string): Promise<boolean> {
    return isOpen(await this.#o.documentClientStore.policy(tenant));
  }

  /** Reports whether a tenant accepts no dynamic registration. */
  async isRegistrationOff(tenant: string): Promise<boolean> {
    return (await this.#o.documentClientStore.policy(tenant)).registration === 'off';
  }

  /**
   * Returns a client by its current document, or a registered client.
   * @param address source address of the request
   * @throws UnusableDocument; TooManyRequests
   */
  async find(tenant: string, clientId: string, address: string): Promise<Client | null> {
    if (!isDocumentClientId(clientId)) return this.#o.clients.find(tenant, clientId);
    return this.#current({ tenant, clientId }, address);
  }

  /**
   * Returns a client for its authentication. While its document is unavailable, the stored registration counts, so that
   * existing grants do not depend on a server of another party.
   * @throws TooManyRequests if the client is not stored
   */
  async record(tenant: string, clientId: string, address: string): Promise<ClientRecord | null> {
    if (!isDocumentClientId(clientId)) return this.#o.clients.record(tenant, clientId);
    const isStored = (await this.#o.clients.find(tenant, clientId)) !== null;
    try {
      const client = await this.#current({ tenant, clientId }, address);
      // Its key is not limited to the grants of users, and each assertion leads to a row.
      if (client && !isStored) await this.#o.limit({ tenant, address });
      return client && { client, secrets: [] };
    } catch (error) {
      if (!(error instanceof UnusableDocument) && !(error instanceof TooManyRequests)) throw error;
      if (!isStored && error instanceof TooManyRequests) throw error;
      return this.#o.clients.record(tenant, clientId);
    }
  }

  /**
   * Returns a client that a user allows, after it is stored. Returns null if it is no longer allowed.
   * @throws as `find`; OAuthError access_denied
   */
  async keep(client: Client, user: { subjectId: string; address: string }): Promise<Client | null> {
    const { tenant, clientId } = client;
    if (!isUnapprovedClientId(clientId)) return client;
    const { documents, documentClientStore: store, newClientLimit } = this.#o;
    const id = { tenant, clientId };
    const { subjectId, address } = user;
    // The client would be kept as long as the grant, and the tenant has a limited number of places.
    if (!(await store.hasGrantOf(id, subjectId))) await newClientLimit({ tenant, subjectId });
    if (await this.#o.clients.find(tenant, clientId)) return client;
    return store.store(id, (await documents.get(id, { address, isStored: false })).document);
  }

  async #current(id: ClientId, address: string): Promise<Client | null> {
    const { clients, documents, documentClientStore: store } = this.#o;
    const { tenant, clientId } = id;
    const policy = await store.policy(tenant);
    if (!allowsClient(policy, clientId)) return null;
    const stored = await clients.find(tenant, clientId);
    if (stored?.disabled) return stored;
    const source = { address, isStored: stored !== null };
    try {
      const { document, isNew } = await documents.get(id, source);
      const registration = await this.#registration(id, document, policy);
      if (!stored) return await store.preview(id, registration);
      if (isRegistered(stored, registration)) return stored;
      if (isNew) return await store.store(id, document);
      // Another process may have stored a newer document than the cached one.
      const again = await documents.get(id, { ...source, refresh: true });
      return again.isNew ? await store.store(id, again.document) : stored;
    } catch (error) {
      if (error instanceof OAuthError) throw new UnusableDocument(error.description);
      throw error;
    }
  }

  /** Returns the registration of a document, computed again when the document or the loaded policy changes. */
  async #registration(
    id: ClientId,
    document: ClientDocument,
    policy: DocumentPolicy,
  ): Promise<ValidMetadata> {
    const key = clientKey(id);
    const known = this.#registrations.get(key);
    if (known?.document === document && known.policy === policy) return known.registration;
    const registration = await this.#o.documentClientStore.registration(id.tenant, document);
    this.#registrations.set(key, { document, policy, registration });
    return registration;
  }
}

/** Reports whether a stored client has exactly this registration. */
export const isRegistered = (client: Client, registration: ValidMetadata): boolean =>
  isDeepStrictEqual(
    plain(clientMetadata(client)),
    plain(clientMetadata({ ...registration, metadata: { ...registration.metadata } })),
  );

const plain = (metadata: object): unknown => JSON.parse(JSON.stringify(metadata));
