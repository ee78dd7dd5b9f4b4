import { isTenantId, platformTenant } from '@ostiary/access';
import type { Actor } from '@ostiary/events';
import { ScimError, shownTextProblem } from '@ostiary/scim';
import type { IdPage } from '@ostiary/service';
import { type AuditAction, auditContext, type Changes } from '../../audit/index.ts';
import { InvalidAttribute, VersionMismatch } from '../../errors/index.ts';
import type {
  ChangeOfTenant,
  DeletionPolicy,
  Tenant,
  TenantFilter,
  TenantReader,
  TenantStatus,
} from './tenant.ts';
import { emittedPolicy } from './tenant-policy.ts';

/**
 * Ids that no tenant can have: the issuer of the services' own tokens, and words that would read like a part of the
 * platform in a URL or a log.
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

/** An omitted field stays unchanged. */
export interface UpdateTenant {
  id: string;
  /** Expected version, if any. */
  version?: number;
  name?: string;
  status?: TenantStatus;
  deletionPolicy?: DeletionPolicy;
  /** Null: entries of the audit log are kept without limit. */
  auditRetentionDays?: number | null;
  actor: Actor;
}

type Settings = Pick<Tenant, 'name' | 'status' | 'deletionPolicy' | 'auditRetentionDays'>;

/** Minimum and maximum in days. A setting must not delete today's entries. */
const [minRetention, maxRetention] = [30, 36_500];

/** @throws ScimError invalidValue */
function retentionOf(days: number | null): number | null {
  if (days !== null && (!Number.isInteger(days) || days < minRetention || days > maxRetention)) {
    throw new InvalidAttribute(
      `The audit log must be kept for ${minRetention} to ${maxRetention} days, or without limit.`,
      'auditRetentionDays',
    );
  }
  return days;
}

/** @throws ScimError invalidValue for an id that is malformed or reserved */
function mustBePossibleId(id: string): void {
  if (!isTenantId(id)) {
    throw new InvalidAttribute(
      'A tenant id must have 1 to 63 lower-case letters, digits and inner hyphens.',
      'id',
    );
  }
  if (reservedIds.has(id)) throw new InvalidAttribute('This tenant id is reserved.', 'id');
}

/** @throws ScimError invalidValue */
function nameOf(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > maxNameLength || name.includes('\u0000') || !name.isWellFormed()) {
    throw new InvalidAttribute(`A tenant name must have 1 to ${maxNameLength} characters.`, 'name');
  }
  const problem = shownTextProblem(name, 'name');
  if (problem !== undefined) throw new InvalidAttribute(problem, 'name');
  return name;
}

const changedSettings = (before: Tenant, given: Partial<Settings>): Changes => {
  const names = ['name', 'status', 'deletionPolicy', 'auditRetentionDays'] as const;
  const changed = names.filter((name) => given[name] !== undefined && given[name] !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, { before: before[name], after: given[name] }]));
};

/** The audit log distinguishes suspending and resuming a tenant; for the other services all are the same event. */
const actionOf = ({ status }: Changes): AuditAction => {
  if (!status) return 'tenant.updated';
  return status.after === 'suspended' ? 'tenant.suspended' : 'tenant.resumed';
};

/** The tenants of the installation, for its operator. */
export class TenantRegistry {
  readonly #tenants: TenantReader;
  readonly #change: ChangeOfTenant;
  readonly #clock: () => number;
  // Tenants are never removed, so a tenant that was found needs no query again.
  readonly #seen = new Set<string>();

  constructor(tenants: TenantReader, change: ChangeOfTenant, clock: () => number) {
    this.#tenants = tenants;
    this.#change = change;
    this.#clock = clock;
  }

  /**
   * Adds a tenant and emits `tenant.created`.
   * @throws ScimError invalidValue for an id that is malformed or reserved, uniqueness for one that is taken
   */
  async create(command: CreateTenant): Promise<Tenant> {
    const { id, actor } = command;
    mustBePossibleId(id);
    const name = nameOf(command.name);
    const now = new Date(this.#clock());
    const tenant: Tenant = {
      id,
      name,
      status: 'active',
      deletionPolicy: 'hard',
      auditRetentionDays: null,
      policy: { settings: {}, version: 0, updatedAt: null },
      version: 1,
      createdAt: now,
      updatedAt: now,
    };
    const payload = { id, name, status: tenant.status };
    await this.#change(id, async (tables) => {
      await tables.settings.insert(tenant);
      tables.record(
        {
          occurredAt: now,
          actor,
          action: 'tenant.created',
          resourceType: 'Tenant',
          resourceId: id,
          resourceVersion: 1,
          changes: { name: { after: name } },
          ...auditContext(),
        },
        { tenant: id, type: 'tenant.created', subject: id, version: 1, actor, payload },
      );
    });
    return tenant;
  }

  /** Changes a tenant's settings and emits `tenant.updated`. @throws ScimError 404, invalidValue */
  async update(command: UpdateTenant): Promise<Tenant> {
    const { id, actor } = command;
    await this.mustExist(id);
    const given = {
      ...(command.name !== undefined && { name: nameOf(command.name) }),
      ...(command.status !== undefined && { status: command.status }),
      ...(command.deletionPolicy !== undefined && { deletionPolicy: command.deletionPolicy }),
      ...(command.auditRetentionDays !== undefined && {
        auditRetentionDays: retentionOf(command.auditRetentionDays),
      }),
    };
    return this.#change(id, async (tables) => {
      const before = await tables.settings.lock();
      if (!before) throw ScimError.notFound('There is no such tenant.');
      if (command.version !== undefined && command.version !== before.version) {
        throw new VersionMismatch(before.version);
      }
      const changes = changedSettings(before, given);
      if (Object.keys(changes).length === 0) return before;
      const after = { ...before, ...given, version: before.version + 1, updatedAt: new Date(this.#clock()) };
      await tables.settings.update(after);
      const { name, status, version } = after;
      tables.record(
        {
          occurredAt: after.updatedAt,
          actor,
          action: actionOf(changes),
          resourceType: 'Tenant',
          resourceId: id,
          resourceVersion: version,
          changes,
          ...auditContext(),
        },
        {
          tenant: id,
          type: 'tenant.updated',
          subject: id,
          version,
          actor,
          payload: { id, name, status, policy: emittedPolicy(after) },
        },
      );
      return after;
    });
  }

  /** @throws ScimError 404 */
  async read(id: string): Promise<Tenant> {
    const tenant = isTenantId(id) ? await this.#tenants.find(id) : undefined;
    if (!tenant) throw ScimError.notFound('There is no such tenant.');
    this.#seen.add(id);
    return tenant;
  }

  async find(id: string): Promise<Tenant | undefined> {
    return isTenantId(id) ? this.#tenants.find(id) : undefined;
  }

  /** Returns a page in the order of ids. */
  page(filter: TenantFilter, page: IdPage): Promise<Tenant[]> {
    return this.#tenants.page(filter, page);
  }

  count(filter: TenantFilter): Promise<number> {
    return this.#tenants.count(filter);
  }

  list(): Promise<Tenant[]> {
    return this.#tenants.list();
  }

  /** Queries the database once per tenant. @throws ScimError 404 unless the tenant exists */
  async mustExist(id: string): Promise<void> {
    if (!this.#seen.has(id)) await this.read(id);
  }
}
