import { isTenantId, platformTenant } from '@ostiary/access';
import { isUniqueViolation } from '@ostiary/database';
import type { Actor } from '@ostiary/events';
import { ScimError } from '@ostiary/scim';
import type { Store } from '../data/store.ts';
import type { Tenant } from '../data/tenants.ts';
import { traceId } from './trace.ts';

/**
 * Ids that can't be a tenant's: the issuer of the services' own tokens, and words that would read like a part of
 * the platform in a URL or a log.
 */
const reservedIds = new Set([
  platformTenant,
  'admin',
  'api',
  'auth',
  'directory',
  'gateway',
  'graphql',
  'internal',
  'operator',
  'ostiary',
  'provisioning',
  'root',
  'system',
  'www',
]);

const maxNameLength = 200;

export interface CreateTenant {
  id: string;
  name: string;
  actor: Actor;
}

/** The tenants of the installation, for its operator. */
export class TenantRegistry {
  readonly #store: Store;
  readonly #clock: () => number;
  // Tenants are never removed, so that one has been seen needs no asking again.
  readonly #seen = new Set<string>();

  constructor(store: Store, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Adds a tenant and emits `tenant.created`.
   * @throws ScimError invalidValue for an id that is malformed or reserved, uniqueness for one that is taken
   */
  async create(command: CreateTenant): Promise<Tenant> {
    const { id, actor } = command;
    if (!isTenantId(id)) {
      throw ScimError.invalidValue('A tenant id has 1 to 63 lower-case letters, digits and inner hyphens.');
    }
    if (reservedIds.has(id)) throw ScimError.invalidValue('This tenant id is reserved.');
    const name = command.name.trim();
    if (name === '' || name.length > maxNameLength || name.includes('\u0000') || !name.isWellFormed()) {
      throw ScimError.invalidValue(`A tenant name has 1 to ${maxNameLength} characters.`);
    }
    const now = new Date(this.#clock());
    const tenant: Tenant = { id, name, status: 'active', version: 1, createdAt: now, updatedAt: now };
    const payload = { id, name, status: tenant.status };
    try {
      await this.#store.createTenant(
        tenant,
        {
          occurredAt: now,
          actor,
          action: 'tenant.created',
          resourceType: 'Tenant',
          resourceId: id,
          resourceVersion: 1,
          changes: { name: { after: name } },
          ...traceId(),
        },
        { tenant: id, type: 'tenant.created', subject: id, version: 1, actor, payload },
      );
    } catch (error) {
      if (isUniqueViolation(error, 'tenants_pkey')) throw ScimError.uniqueness('This tenant id is taken.');
      throw error;
    }
    return tenant;
  }

  /** @throws ScimError 404 */
  async read(id: string): Promise<Tenant> {
    const tenant = isTenantId(id) ? await this.#store.tenants.find(id) : undefined;
    if (!tenant) throw ScimError.notFound('There is no such tenant.');
    this.#seen.add(id);
    return tenant;
  }

  list(): Promise<Tenant[]> {
    return this.#store.tenants.list();
  }

  /** @throws ScimError 404 unless the tenant exists; asks the database once per tenant */
  async mustExist(id: string): Promise<void> {
    if (!this.#seen.has(id)) await this.read(id);
  }
}
