import type { Actor, NewEvent, TenantPolicySettings } from '@ostiary/events';
import { foldResource, ScimError, uniqueKeys, validateResource } from '@ostiary/scim';
import { type IdPage, isUuid } from '@ostiary/service';
import { type AuditAction, auditContext, type Changes } from '../../audit/index.ts';
import { groupSnapshot, mustBeFreeName } from '../../groups/index.ts';
import {
  attributesIn,
  contentOf,
  mustMatch,
  type Origin,
  type StoredResource,
  shownChanges,
} from '../../resources/index.ts';
import { mustBeAllowedToGive, mustBeAllowedToReactivate } from '../../roles/index.ts';
import type { ResourceType, SchemasInUse } from '../../schemas/index.ts';
import { userSnapshot } from '../../users/index.ts';
import type { DeletedResource, RecyclingStore, RecyclingTables } from './ports.ts';

export interface RecyclingOptions {
  store: RecyclingStore;
  schemas: SchemasInUse;
  clock: () => number;
  policyDefaults: TenantPolicySettings;
}

export interface RecyclingCommand {
  type: ResourceType;
  id: string;
  /** Tags of the version of the deletion; any version when absent. */
  ifMatch?: readonly string[];
  actor: Actor;
  /** As in a change of members: a restored resource becomes a member of its groups again. */
  mayGive?: Origin['mayGive'];
}

/** Deleted resources of a tenant: they can be restored, or purged before the end of their period. */
export class Recycling {
  readonly #store: RecyclingStore;
  readonly #schemas: SchemasInUse;
  readonly #clock: () => number;
  readonly #policyDefaults: RecyclingOptions['policyDefaults'];

  constructor({ store, schemas, clock, policyDefaults }: RecyclingOptions) {
    this.#policyDefaults = policyDefaults;
    this.#store = store;
    this.#schemas = schemas;
    this.#clock = clock;
  }

  /** Returns a page in the order of ids. */
  page(type: ResourceType, page: IdPage): Promise<DeletedResource[]> {
    return this.#store.deleted.page(type, { ...page, now: this.#now() });
  }

  count(type: ResourceType): Promise<number> {
    return this.#store.deleted.count(type, this.#now());
  }

  /**
   * Restores a resource under its id: with its former attributes, in its former groups that still exist, at a version
   * newer than all before. Consumers of the deletion's event treat it as a reactivation: revoked access stays
   * revoked.
   * @throws ScimError 404 when there is none or its period is over; 412 at another version; 403 when it would enter a
   * group that grants rights and `mayGive` does not allow that; 409 when its userName or another unique value is
   * taken, or when it lacks an attribute that the tenant's schemas now require
   */
  restore({ type, id, ifMatch, actor, mayGive }: RecyclingCommand): Promise<StoredResource> {
    return this.#schemas.during(() =>
      this.#store.change(async (tables) => {
        const deleted = await this.#lock(tables, type, id);
        if (deleted.restorableUntil <= this.#now()) throw notDeleted(type);
        mustMatch(ifMatch, deleted.version);
        const restored = this.#revived(deleted);
        if (type === 'Group') {
          await tables.memberships.lockNesting();
          await mustBeFreeName(tables, undefined, restored, this.#policyDefaults);
        }
        const table = type === 'User' ? tables.users : tables.groups;
        const isBack = restored.data.active !== false;
        await table.insert(
          isBack ? { ...restored, departure: null } : restored,
          this.#derived(type, restored),
        );
        const joined = await this.#rejoin(tables, deleted, restored, actor);
        const by = mayGive ? { mayGive } : {};
        if (joined.length > 0) await mustBeAllowedToGive(tables, by, joined);
        // A restored user has their own roles again.
        if (type === 'User' && restored.data.active !== false)
          await mustBeAllowedToReactivate(tables, id, by);
        await tables.deleted.forget(id);
        const changes = shownChanges(undefined, restored, this.#schemas.registry, type);
        this.#record(tables, type, 'restored', { resource: restored, actor, changes });
        return restored;
      }),
    );
  }

  /** Deletes a kept resource permanently. @throws ScimError 404; 412 at another version */
  async purge({ type, id, ifMatch, actor }: RecyclingCommand): Promise<void> {
    await this.#store.change(async (tables) => {
      const deleted = await this.#lock(tables, type, id);
      mustMatch(ifMatch, deleted.version);
      await tables.deleted.forget(id);
      const resource = { ...this.#stored(deleted), version: deleted.version + 1 };
      // Its other attributes are in the entry of its deletion.
      const name = type === 'User' ? 'userName' : 'displayName';
      const changes = { [name]: { before: deleted.data[name] } };
      this.#record(tables, type, 'purged', { resource, actor, changes });
    });
  }

  async #lock(tables: RecyclingTables, type: ResourceType, id: string): Promise<DeletedResource> {
    const deleted = isUuid(id) ? await tables.deleted.lock(type, id) : undefined;
    if (!deleted) throw notDeleted(type);
    return deleted;
  }

  /** Returns the resource under the current schemas: attributes that are no longer defined are dropped. */
  #revived(deleted: DeletedResource): StoredResource {
    const { type } = deleted;
    try {
      const { schemas: _, ...attributes } = deleted.data;
      const core = this.#schemas.registry.coreSchema(type).id;
      const valid = validateResource(
        { ...attributes, schemas: [core] },
        this.#schemas.registry.forOwner(),
        type,
        'create',
      );
      return { ...this.#stored(deleted), version: deleted.version + 1, data: contentOf(valid).data };
    } catch (error) {
      if (error instanceof ScimError) throw ScimError.conflict(error.detail);
      throw error;
    }
  }

  #stored({ id, version, data, externalIds, createdAt, departure }: DeletedResource): StoredResource {
    return { id, version, data, externalIds, createdAt, updatedAt: this.#now(), departure };
  }

  #derived(type: ResourceType, { data }: StoredResource) {
    const { registry, version } = this.#schemas;
    return {
      folded: foldResource(data, registry, type),
      schemasVersion: version,
      uniqueKeys: uniqueKeys(data, registry, type),
    };
  }

  /**
   * Restores the memberships in its former groups and of its former members that still exist, except those that would
   * form a cycle.
   * @returns the groups that have new members
   */
  async #rejoin(
    tables: RecyclingTables,
    { type, groupIds, memberIds }: DeletedResource,
    { id, updatedAt }: StoredResource,
    actor: Actor,
  ): Promise<string[]> {
    const { memberships } = tables;
    // Users are locked before groups, and groups in the order of their ids, as in every transaction.
    const types = await memberships.holdMembers(memberIds);
    const groups = await tables.groups.lockMany(groupIds);
    const existing = groups.map((group) => group.id);
    if (existing.length > 0) {
      await tables.deleted.rejoin(type, id, existing, updatedAt);
      await tables.groups.touchMany(existing, updatedAt);
      for (const group of groups) this.#recordMember(tables, group, id, updatedAt, actor);
    }
    if (type === 'User') return existing;
    const above = new Set([id, ...(await memberships.ancestorsOf(id))]);
    const of = (wanted: ResourceType) =>
      memberIds.filter((member) => types.get(member) === wanted && !above.has(member));
    const { total } = await memberships.add(id, { users: of('User'), groups: of('Group') }, updatedAt);
    return total > 0 ? [id, ...existing] : existing;
  }

  #recordMember(
    tables: RecyclingTables,
    before: StoredResource,
    member: string,
    at: Date,
    actor: Actor,
  ): void {
    const group = { ...before, version: before.version + 1, updatedAt: at };
    const changes = { members: { after: { added: [member], total: 1 } } };
    tables.record(this.#entry('Group', 'group.updated', { resource: group, actor, changes }), {
      tenant: this.#store.tenant,
      type: 'group.updated',
      subject: group.id,
      version: group.version,
      actor,
      payload: {
        ...groupSnapshot(group, {}),
        membersAdded: [member],
        changedAttributes: attributesIn(changes),
      },
    });
  }

  #record(
    tables: RecyclingTables,
    type: ResourceType,
    what: 'restored' | 'purged',
    change: { resource: StoredResource; actor: Actor; changes: Changes },
  ): void {
    const action = `${type.toLowerCase() as Lowercase<ResourceType>}.${what}` as const;
    const event = type === 'User' ? this.#userEvent(what, change) : this.#groupEvent(what, change);
    tables.record(this.#entry(type, action, change), event);
  }

  #userEvent(
    what: 'restored' | 'purged',
    { resource, actor, changes }: { resource: StoredResource; actor: Actor; changes: Changes },
  ): NewEvent {
    const active = resource.data.active !== false;
    const returned = active ? ('user.reactivated' as const) : ('user.deactivated' as const);
    return {
      tenant: this.#store.tenant,
      type: what === 'purged' ? 'user.deleted' : returned,
      subject: resource.id,
      version: resource.version,
      actor,
      payload: {
        ...userSnapshot(resource, {}),
        departure: resource.departure ?? null,
        ...(what === 'restored' && { restored: true as const, changedAttributes: attributesIn(changes) }),
      },
    };
  }

  #groupEvent(
    what: 'restored' | 'purged',
    { resource, actor, changes }: { resource: StoredResource; actor: Actor; changes: Changes },
  ): NewEvent {
    return {
      tenant: this.#store.tenant,
      type: what === 'purged' ? 'group.deleted' : 'group.created',
      subject: resource.id,
      version: resource.version,
      actor,
      payload: {
        ...groupSnapshot(resource, {}),
        ...(what === 'restored' && { changedAttributes: attributesIn(changes) }),
      },
    };
  }

  #entry(
    type: ResourceType,
    action: AuditAction,
    { resource, actor, changes }: { resource: StoredResource; actor: Actor; changes: Changes },
  ) {
    return {
      occurredAt: resource.updatedAt,
      actor,
      action,
      resourceType: type,
      resourceId: resource.id,
      resourceVersion: resource.version,
      changes,
      ...auditContext(),
    };
  }

  /**
   * Purges a resource whose period is over. It may be gone: another process may have purged it, or a caller restored
   * it.
   */
  async purgeExpired(type: ResourceType, id: string): Promise<void> {
    try {
      await this.purge({ type, id, actor: { kind: 'system', id: 'directory' } });
    } catch (error) {
      if (!(error instanceof ScimError) || error.status !== 404) throw error;
    }
  }

  #now(): Date {
    return new Date(this.#clock());
  }
}

const notDeleted = (type: ResourceType): ScimError => ScimError.notFound(`There is no such deleted ${type}.`);
