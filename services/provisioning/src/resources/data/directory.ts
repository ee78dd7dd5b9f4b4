import {
  coreRegistry,
  defineTenantSchema,
  type SchemaDefinition,
  type SchemaRegistry,
  ScimError,
} from '@ostiary/scim';
import { type HttpPeer, type PeerResponse, ServiceUnavailable } from '@ostiary/service';
import type { ManagedPrivileges, VouchingDirectory } from '../../connectors/index.ts';
import { endpointOf, type ResourceType, type ScimResource } from '../../protocol/index.ts';
import type { Authority, Change, Directory, Page } from '../domain/directory.ts';

/** The directory service's internal REST surface. */
export class RemoteDirectory implements Directory, VouchingDirectory, ManagedPrivileges {
  readonly #peer: HttpPeer;

  constructor(peer: HttpPeer) {
    this.#peer = peer;
  }

  async create({
    id,
    resource,
    attributes,
    excludedAttributes,
    ...change
  }: Parameters<Directory['create']>[0]): Promise<ScimResource> {
    const answer = await this.#peer.request<ScimResource>({
      method: 'POST',
      path: pathOf(change.tenant, change.type),
      body: { id, resource, attributes, excludedAttributes, ...bodyOf(change) },
    });
    return accepted(answer);
  }

  async read({
    tenant,
    type,
    id,
    source,
    attributes,
    excludedAttributes,
  }: Parameters<Directory['read']>[0]): Promise<ScimResource> {
    const answer = await this.#peer.request<ScimResource>({
      method: 'GET',
      path: pathOf(tenant, type, id),
      query: {
        source,
        attributes: attributes?.join(','),
        excludedAttributes: excludedAttributes?.join(','),
      },
    });
    return accepted(answer);
  }

  async search({ tenant, type, actor: _, ...query }: Parameters<Directory['search']>[0]): Promise<Page> {
    const answer = await this.#peer.request<Page>({
      method: 'POST',
      path: `${pathOf(tenant, type)}/search`,
      body: query,
      idempotent: true,
    });
    return accepted(answer);
  }

  async replace({
    id,
    resource,
    attributes,
    excludedAttributes,
    ...change
  }: Parameters<Directory['replace']>[0]): Promise<ScimResource> {
    const answer = await this.#peer.request<ScimResource>({
      method: 'PUT',
      path: pathOf(change.tenant, change.type, id),
      body: { resource, attributes, excludedAttributes, ...bodyOf(change) },
      onProcessing: change.onTakenEffect,
      // A repetition would check If-Match against the version of the first execution.
      idempotent: change.ifMatch === undefined,
    });
    return accepted(answer);
  }

  async patch({
    id,
    operations,
    attributes,
    excludedAttributes,
    ...change
  }: Parameters<Directory['patch']>[0]): Promise<ScimResource> {
    const answer = await this.#peer.request<ScimResource>({
      method: 'PATCH',
      path: pathOf(change.tenant, change.type, id),
      body: { operations, attributes, excludedAttributes, ...bodyOf(change) },
      onProcessing: change.onTakenEffect,
    });
    return accepted(answer);
  }

  async remove({ id, ...change }: Parameters<Directory['remove']>[0]): Promise<void> {
    const answer = await this.#peer.request<unknown>({
      method: 'DELETE',
      path: pathOf(change.tenant, change.type, id),
      body: bodyOf(change),
      onProcessing: change.onTakenEffect,
      // A repetition would return 404 for the resource that the first execution removed.
      idempotent: false,
    });
    accepted(answer);
  }

  async withdrawVouching(
    tenant: string,
    voucher: string,
    after: string | undefined,
  ): Promise<string | undefined> {
    const answer = await this.#peer.request<{ next?: unknown }>({
      method: 'POST',
      path: `${pathOf(tenant, 'User')}/withdraw-vouching`,
      body: { voucher, after, actor: { kind: 'system', id: 'provisioning' } },
      idempotent: true,
    });
    // A missing tenant has no users.
    if (answer.status === 404) return undefined;
    const { next } = accepted(answer);
    return typeof next === 'string' ? next : undefined;
  }

  async givenBySources(tenant: string): Promise<readonly string[]> {
    const answer = await this.#peer.request<{ scopes?: unknown }>({
      method: 'GET',
      path: `/internal/v1/tenants/${encodeURIComponent(tenant)}/Groups/managed-privileges`,
    });
    const { scopes } = accepted(answer);
    if (!Array.isArray(scopes)) throw new ServiceUnavailable('directory', { cause: 'no scopes' });
    return scopes as string[];
  }

  async schemas(tenant: string): Promise<SchemaRegistry> {
    const answer = await this.#peer.request<{ schemas: readonly TenantSchema[] }>({
      method: 'GET',
      path: `/internal/v1/tenants/${encodeURIComponent(tenant)}/schemas`,
    });
    return accepted(answer).schemas.reduce(
      (registry, { resourceType, required, ...schema }) =>
        registry.withSchema(defineTenantSchema(schema), { resourceType, required }),
      coreRegistry(),
    );
  }
}

/** An extension schema of a tenant. */
type TenantSchema = SchemaDefinition & { resourceType: ResourceType; required: boolean };

const bodyOf = ({
  actor,
  source,
  writable,
  vouchesForEmails,
  protects,
  roleScopes,
  clientId,
  ifMatch,
  credentialTicket,
}: Omit<Change, keyof Authority | 'type' | 'onTakenEffect'> & Authority) => ({
  actor,
  source,
  writable,
  vouchesForEmails,
  protects,
  roleScopes,
  clientId,
  ifMatch,
  credentialTicket,
});

function pathOf(tenant: string, type: ResourceType, id?: string): string {
  const collection = `/internal/v1/tenants/${encodeURIComponent(tenant)}/${endpointOf(type)}`;
  return id === undefined ? collection : `${collection}/${encodeURIComponent(id)}`;
}

/**
 * Returns the response's body, or throws the directory's rejection for the client. A rejection of this service's own
 * token, or a response that is no SCIM message, is an internal error.
 */
function accepted<T>({ status, body }: PeerResponse<T>): T {
  if (status >= 200 && status < 300) return body;
  const refusal = ScimError.fromJSON(body);
  if (status === 401 || !refusal || refusal.status !== status) {
    throw new ServiceUnavailable('directory', { cause: `answered ${status}` });
  }
  throw refusal.status >= 500 ? ScimError.internal() : refusal;
}
