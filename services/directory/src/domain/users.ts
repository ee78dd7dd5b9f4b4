import type { EventType, NewEvent } from '@ostiary/events';
import { applyPatch, type Projection, parseOperations, ScimError, validateResource } from '@ostiary/scim';
import { isUuid, uuidv7 } from '@ostiary/service';
import type { Attributes, StoredResource } from '../data/rows.ts';
import type { TenantChange } from '../data/store.ts';
import { changesBetween, isSame } from './changes.ts';
import {
  type CreateResource,
  directSource,
  type Origin,
  type PatchResource,
  type RemoveResource,
  type ReplaceResource,
} from './commands.ts';
import { mustMatch } from './etag.ts';
import { departFromGroups } from './groups.ts';
import { contentOf, represent, withExternalId } from './representation.ts';
import { Resources, type ResourcesOptions } from './resources.ts';
import { userSnapshot } from './snapshots.ts';
import { traceId } from './trace.ts';
import { translatingViolations } from './violations.ts';

type UserEvent = Extract<EventType, `user.${string}`>;

/** The users of one tenant. */
export class Users extends Resources {
  constructor(options: ResourcesOptions) {
    super('User', options);
  }

  async create(command: CreateResource): Promise<StoredResource> {
    const valid = validateResource(command.resource, this.registry, 'User', 'create');
    const { data, externalId } = contentOf({ active: true, ...valid });
    const now = this.now();
    const user: StoredResource = {
      id: this.newId(command.id, uuidv7),
      version: 1,
      data,
      externalIds: withExternalId({}, command.source ?? directSource, externalId),
      createdAt: now,
      updatedAt: now,
    };
    await translatingViolations(() =>
      this.store.change(async (tables) => {
        await tables.users.insert(user, this.folded(user));
        this.#record(tables, 'user.created', undefined, user, command);
      }),
    );
    return user;
  }

  replace(command: ReplaceResource): Promise<StoredResource> {
    return this.#change(command, (current) => {
      const valid = validateResource(command.resource, this.registry, 'User', 'replace', { current });
      // A person who left must not come back because a client left an attribute out.
      return { ...valid, active: valid.active ?? current.active ?? true };
    });
  }

  patch(command: PatchResource): Promise<StoredResource> {
    // What is left of a PATCH that only sets a password are no operations and a ticket.
    const none = Array.isArray(command.operations) && command.operations.length === 0;
    const operations =
      none && command.credentialTicket !== undefined ? [] : parseOperations(command.operations);
    return this.#change(
      command,
      (current) => applyPatch(current, operations, this.registry, 'User').resource,
    );
  }

  async remove(command: RemoveResource): Promise<void> {
    if (!isUuid(command.id)) throw this.notFound();
    await this.store.change(async (tables) => {
      // From here on nobody can add the user to a group.
      const user = await tables.users.lock(command.id, 'deletion');
      if (!user) throw this.notFound();
      mustMatch(command.ifMatch, user.version);
      const now = this.now();
      await departFromGroups(tables, command.id, this.store.tenant, command, now);
      await tables.users.delete(command.id);
      const gone = { ...user, version: user.version + 1, updatedAt: now };
      this.#record(tables, 'user.deleted', user, gone, command);
    });
  }

  /** Adds `groups`: direct and through other groups, for all users in one statement. */
  protected async complete(users: Attributes[], projection: Projection): Promise<void> {
    if (users.length === 0 || !projection.includes('groups')) return;
    const memberships = await this.store.memberships.groupsOfUsers(users.map((user) => String(user.id)));
    const byUser = Map.groupBy(memberships, (membership) => membership.userId);
    for (const user of users) {
      const groups = byUser.get(String(user.id));
      if (!groups) continue;
      user.groups = groups.map(({ id, display, direct }) => ({
        value: id,
        display,
        type: direct ? 'direct' : 'indirect',
      }));
    }
  }

  async #change(
    command: Omit<ReplaceResource, 'resource'>,
    edit: (current: Attributes) => Attributes,
  ): Promise<StoredResource> {
    if (!isUuid(command.id)) throw this.notFound();
    return translatingViolations(() =>
      this.store.change(async (tables) => {
        const before = await tables.users.lock(command.id);
        if (!before) throw this.notFound();
        mustMatch(command.ifMatch, before.version);
        const after = this.#revise(before, edit(represent(before, 'User', command.source)), command);
        // A new password is a change too, though it is not kept here.
        if (isSame(before, after) && command.credentialTicket === undefined) return before;
        await tables.users.update(after, this.folded(after));
        this.#record(tables, eventOf(before, after), before, after, command);
        return after;
      }),
    );
  }

  #revise(before: StoredResource, edited: Attributes, { source = directSource }: Origin): StoredResource {
    const { data, externalId } = contentOf(edited);
    if (typeof data.userName !== 'string' || data.userName === '') {
      throw ScimError.invalidValue('A user must have a userName.');
    }
    return {
      ...before,
      version: before.version + 1,
      data,
      externalIds: withExternalId(before.externalIds, source, externalId),
      updatedAt: this.now(),
    };
  }

  #record(
    tables: TenantChange,
    type: UserEvent,
    before: StoredResource | undefined,
    after: StoredResource,
    command: Origin & { credentialTicket?: string },
  ): void {
    const { actor, source, credentialTicket } = command;
    tables.record(
      {
        occurredAt: after.updatedAt,
        actor,
        action: type,
        resourceType: 'User',
        resourceId: after.id,
        resourceVersion: after.version,
        ...(source !== undefined && { source }),
        changes: {
          ...changesBetween(before, type === 'user.deleted' ? undefined : after),
          ...(credentialTicket !== undefined && { password: { after: '(changed)' } }),
        },
        ...traceId(),
      },
      {
        tenant: this.store.tenant,
        type,
        subject: after.id,
        version: after.version,
        actor,
        payload: userSnapshot(after, { source, credentialTicket }),
      } satisfies NewEvent,
    );
  }
}

/** Leaving and coming back have events of their own; they carry the whole user, so other changes travel along. */
function eventOf(before: StoredResource, after: StoredResource): UserEvent {
  const was = before.data.active !== false;
  const is = after.data.active !== false;
  if (was === is) return 'user.updated';
  return is ? 'user.reactivated' : 'user.deactivated';
}
