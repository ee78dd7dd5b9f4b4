import { isDeepStrictEqual } from 'node:util';
import { TooManyRequests } from '@ostiary/service';
import { type ChangeTerms, OAuthError } from '../../../platform/index.ts';
import { type Client, type ClientId, type ClientStore, isDocumentClientId } from '../../domain/client.ts';
import { clientMetadata } from '../../domain/client-metadata.ts';
import type { ClientMetadata } from '../../domain/client-registry.ts';
import type { ClientRecord } from '../../domain/clients.ts';
import type { ValidMetadata } from '../../domain/valid-metadata.ts';
import { type ClientDocument, UnusableDocument } from './document.ts';
import { allowsClient, type DocumentPolicy, type DocumentPolicySettings, isOpen } from './document-policy.ts';

/** Documents at the ids of clients. */
export interface DocumentSource {
  /**
   * Returns the document of a client, at most as old as its server permits.
   * @param o `address`: source address of the request; `refresh`: fetches the document regardless of its age
   * @throws UnusableDocument; TooManyRequests
   */
  get(client: ClientId, o: { address: string; refresh?: boolean }): Promise<ClientDocument>;
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
}

export interface DocumentClientsOptions {
  clients: Pick<ClientStore, 'find'> & {
    record(tenant: string, clientId: string): Promise<ClientRecord | null>;
  };
  documents: DocumentSource;
  documentClientStore: DocumentClientStore;
}

/**
 * Clients whose id is the URL of their metadata document (draft-ietf-oauth-client-id-metadata-document), besides
 * registered ones. A client is stored when the first user allows it, so that visitors cannot fill the table.
 */
export class DocumentClients {
  readonly #o: DocumentClientsOptions;

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
   */
  async record(tenant: string, clientId: string, address: string): Promise<ClientRecord | null> {
    if (!isDocumentClientId(clientId)) return this.#o.clients.record(tenant, clientId);
    try {
      const client = await this.#current({ tenant, clientId }, address);
      return client && { client, secrets: [] };
    } catch (error) {
      if (!(error instanceof UnusableDocument) && !(error instanceof TooManyRequests)) throw error;
      return this.#o.clients.record(tenant, clientId);
    }
  }

  /**
   * Stores a client that a user allows. Returns null if it is no longer allowed.
   * @throws as `find`; OAuthError access_denied
   */
  async keep(client: Client, address: string): Promise<Client | null> {
    const { tenant, clientId } = client;
    if (!isDocumentClientId(clientId) || (await this.#o.clients.find(tenant, clientId))) return client;
    const document = await this.#o.documents.get({ tenant, clientId }, { address });
    return this.#o.documentClientStore.store({ tenant, clientId }, document);
  }

  async #current(id: ClientId, address: string): Promise<Client | null> {
    const { clients, documents, documentClientStore: store } = this.#o;
    const { tenant, clientId } = id;
    if (!allowsClient(await store.policy(tenant), clientId)) return null;
    const stored = await clients.find(tenant, clientId);
    if (stored?.disabled) return stored;
    try {
      const registration = await store.registration(tenant, await documents.get(id, { address }));
      if (!stored) return await store.preview(id, registration);
      if (isRegistered(stored, registration)) return stored;
      // Another process may have stored a newer document than the cached one.
      return await store.store(id, await documents.get(id, { address, refresh: true }));
    } catch (error) {
      if (error instanceof OAuthError) throw new UnusableDocument(error.description);
      throw error;
    }
  }
}

/** Reports whether a stored client has exactly this registration. */
export const isRegistered = (client: Client, registration: ValidMetadata): boolean =>
  isDeepStrictEqual(
    plain(clientMetadata(client)),
    plain(clientMetadata({ ...registration, metadata: { ...registration.metadata } })),
  );

const plain = (metadata: object): unknown => JSON.parse(JSON.stringify(metadata));
