import type { Actor, NewEvent, UserDeparture } from '@ostiary/events';
import { applyPatch, Projection, parseOperations, ScimError, validateResource } from '@ostiary/scim';
import { isUuid, uuidv7 } from '@ostiary/service';
import { auditContext, type Changes, type NewAuditEntry } from '../../audit/index.ts';
import { removeFromAllGroups } from '../../groups/index.ts';
import { mustNotTouch } from '../../protection/index.ts';
import {
  type Attributes,
  attributesIn,
  type CreateResource,
  contentOf,
  directSource,
  isSame,
  mustMatch,
  type Origin,
  type PatchResource,
  type RemoveResource,
  type ReplaceResource,
  Resources,
  type ResourcesOptions,
  represent,
  type StoredResource,
  type View,
  type VouchedEmails,
  withExternalId,
} from '../../resources/index.ts';
import { keepingRecognition } from '../../roles/index.ts';
import { departureAfterChange, departureBeforeReturn, departureOfDeletion } from './departures.ts';
import type { UserStore, UserTables, UserWithGroups } from './ports.ts';
import { shownVerified } from './shown-verified.ts';
import { userSnapshot } from './snapshot.ts';
import { eventOf, nobody, type UserEvent } from './user-events.ts';
import { addressesNamed, addressesOf, stillVouched, vouchedBy, withoutVoucher } from './vouching.ts';

/** Number of attempts without the row's lock. */
const attemptsWithoutLock = 3;

/** A change of one user, apart from the edit of the attributes. */
type UserChange = Omit<ReplaceResource, 'resource'> & {
  /** The addresses that it names, default all of the user's addresses after it. */
  named?: ReadonlySet<string>;
  /** The source that no longer vouches for the user's addresses. */
  withdrawn?: string;
};

export class Users extends Resources<UserStore> {
  readonly #groupsRead = new WeakMap<StoredResource, UserWithGroups['groups']>();

  constructor(options: ResourcesOptions<UserStore>) {
    super('User', options);
  }

  create(command: CreateResource): Promise<StoredResource> {
    return this.schemas.during(() => this.#create(command));
  }

  async #create(command: CreateResource): Promise<StoredResource> {
    const valid = validateResource(command.resource, this.registryFor(command), 'User', 'create');
    this.checkShown(undefined, valid);
    const { data, externalId } = contentOf({ active: true, ...valid });
    const now = this.now();
    const user: StoredResource = {
      id: this.newId(command.id, uuidv7),
      version: 1,
      data,
      externalIds: withExternalId({}, command.source ?? directSource, externalId),
      vouchedEmails: this.#vouched(undefined, data, command),
      createdAt: now,
      updatedAt: now,
    };
    await this.checkReferences(this.store, undefined, data);
    await this.store.write({
      type: 'User',
      resource: user,
      derived: this.derived(user),
      ...this.#recordOf('user.created', undefined, user, command),
    });
    return user;
  }

  replace(command: ReplaceResource): Promise<StoredResource> {
    return this.#change(command, (current) => {
      const valid = validateResource(command.resource, this.registryFor(command), 'User', 'replace', {
        current,
      });
      return keepingActive(current, valid);
    });
  }

  patch(command: PatchResource): Promise<StoredResource> {
    // A PATCH that only sets a password arrives without operations and with a ticket.
    const none = Array.isArray(command.operations) && command.operations.length === 0;
    const operations =
      none && command.credentialTicket !== undefined ? [] : parseOperations(command.operations);
    return this.#change({ ...command, named: addressesNamed(operations) }, (current) =>
      keepingActive(current, applyPatch(current, operations, this.registryFor(command), 'User').resource),
    );
  }

  /**
   * Withdraws a source's vouching for the addresses of `limit` users after an id.
   * @returns the id after which it continues; undefined when no user is left
   */
  async withdrawVouching(
    source: string,
    actor: Actor,
    { after, limit }: { after: string | undefined; limit: number },
  ): Promise<string | undefined> {
    const ids = await this.store.vouchedEmailHolders.of(source, after, limit);
    for (const id of ids) {
      try {
        await this.#change({ id, actor, withdrawn: source }, (current) => current);
      } catch (error) {
        // A user who was deleted in the meantime has no address.
        if (!(error instanceof ScimError) || error.status !== 404) throw error;
      }
    }
    return ids.length < limit ? undefined : ids.at(-1);
  }

  async remove(command: RemoveResource): Promise<void> {
    if (!isUuid(command.id)) throw this.notFound();
    await this.store.change(async (tables) => {
      // From here on the user cannot be added to a group.
      const user = await tables.users.lock(command.id, 'deletion');
      if (!user) throw this.notFound();
      await mustNotTouch(tables, command, command.id);
      mustMatch(command.ifMatch, user.version);
      const now = this.now();
      const next = { ...user, version: user.version + 1, updatedAt: now };
      const departure = departureOfDeletion(user, next, command.actor);
      const gone = { ...next, departure: departure ?? null };
      const deletion = { version: gone.version, at: now, actor: command.actor, departure };
      const restorableUntil = await tables.deleted.keep('User', command.id, deletion);
      await removeFromAllGroups(tables, command.id, this.store.tenant, command, now);
      await tables.users.delete(command.id);
      const { entry, event } = this.#recordOf('user.deleted', user, gone, { ...command, restorableUntil });
      tables.record(entry, event);
    });
  }

  /**
   * Publishes the state of a user again, for consumers that have lost it. Only the version changes.
   * @param left also that the user was offboarded, whether or not it is active again
   */
  async tellAgain(id: string, left: boolean, actor: Actor): Promise<void> {
    await this.store.change(async (tables) => {
      const user = await tables.users.lock(id);
      if (!user) return;
      const after = { ...user, version: user.version + 1, updatedAt: this.now() };
      const ofLeaving = user.data.active === false ? 'user.deactivated' : 'user.reactivated';
      const type = left ? ofLeaving : 'user.updated';
      await tables.users.update(after, this.derived(after));
      const departure = type === 'user.reactivated' ? departureBeforeReturn(after, actor) : undefined;
      const { entry, event } = this.#recordOf(type, user, after, { actor, departure });
      tables.record(entry, event);
    });
  }

  /** Publishes the deletion of a user that no longer exists, for consumers that have lost it. */
  async tellDeleted(id: string, version: number, actor: Actor): Promise<void> {
    const gone = nobody(id, version, this.now());
    await this.store.change(async (tables) => {
      if (await tables.users.lock(id)) return;
      const { entry, event } = this.#recordOf('user.deleted', undefined, gone, { actor });
      tables.record(entry, event);
    });
  }

  /** A new user is in no group. */
  override async presentNew(created: StoredResource, view: View): Promise<Attributes> {
    return this.#presentWith([], created, view);
  }

  /** Reads the user and their groups in one statement. */
  override async show(id: string, view: View): Promise<Attributes> {
    const found = isUuid(id) ? await this.store.userWithGroups(id) : undefined;
    if (!found) throw this.notFound();
    return this.#presentWith(found.groups, found.user, view);
  }

  /** The groups of a user that this request has changed were read with the user. */
  override async present(user: StoredResource, view: View): Promise<Attributes> {
    const groups = this.#groupsRead.get(user);
    return groups ? this.#presentWith(groups, user, view) : super.present(user, view);
  }

  #presentWith(groups: UserWithGroups['groups'], user: StoredResource, view: View): Attributes {
    const projection = new Projection(view, this.registry, 'User');
    const resource = represent(user, 'User', view.source);
    addGroups(resource, groups);
    return shownVerified(user, projection.apply(resource), view);
  }

  override async presentAll(
    stored: readonly StoredResource[],
    view: View,
    most?: number,
  ): Promise<Attributes[]> {
    const presented = await super.presentAll(stored, view, most);
    return presented.map((user, i) => shownVerified(stored[i] as StoredResource, user, view));
  }

  /** Adds `groups`, direct and through other groups, for all users in one statement. */
  protected async complete(users: Attributes[], projection: Projection, most?: number): Promise<void> {
    if (users.length === 0 || !projection.includes('groups')) return;
    const ids = users.map((user) => String(user.id));
    const memberships = await this.store.memberships.groupsOfUsers(ids, most);
    const byUser = Map.groupBy(memberships, (membership) => membership.userId);
    for (const user of users) addGroups(user, byUser.get(String(user.id)) ?? []);
  }

  async #change(command: UserChange, edit: (current: Attributes) => Attributes): Promise<StoredResource> {
    if (!isUuid(command.id)) throw this.notFound();
    return this.schemas.during(() => this.#write(command, edit));
  }

  /**
   * Reads, edits and writes the user with two statements and no lock, unless another request has changed it in
   * between. After several conflicts it waits for the row's lock.
   */
  async #write(command: UserChange, edit: (current: Attributes) => Attributes): Promise<StoredResource> {
    for (let attempt = 1; attempt <= attemptsWithoutLock; attempt += 1) {
      const after = await this.#writeUnlocked(command, edit);
      if (after) return after;
    }
    return this.store.change((tables) => this.#writeLocked(tables, command, edit));
  }

  /** @returns undefined when another request was faster */
  async #writeUnlocked(
    command: UserChange,
    edit: (current: Attributes) => Attributes,
  ): Promise<StoredResource | undefined> {
    const found = await this.store.userWithGroups(command.id);
    const before = found?.user;
    if (before) await mustNotTouch(this.store, command, command.id);
    const edited = this.#edit(before, command, edit);
    const { same } = edited;
    const after =
      before && !same ? await keepingRecognition(this.store, before, edited.after, command) : edited.after;
    if (found) this.#groupsRead.set(after, found.groups);
    if (same) {
      await this.schemas.mustBeCurrent();
      return after;
    }
    await this.checkReferences(this.store, before?.data, after.data);
    const record = this.#recordOf(eventOf(before, after), before, after, command);
    const write = { type: 'User' as const, resource: after, derived: this.derived(after), ...record };
    return (await this.store.write({ ...write, replaces: after.version - 1 })) ? after : undefined;
  }

  async #writeLocked(
    tables: UserTables,
    command: UserChange,
    edit: (current: Attributes) => Attributes,
  ): Promise<StoredResource> {
    const before = await tables.users.lock(command.id);
    if (before) await mustNotTouch(tables, command, command.id);
    const edited = this.#edit(before, command, edit);
    const { same } = edited;
    const after =
      before && !same ? await keepingRecognition(tables, before, edited.after, command) : edited.after;
    if (same) {
      this.schemas.mustBe(await tables.settings.schemasVersion());
      return after;
    }
    await this.checkReferences(tables, before?.data, after.data);
    await tables.users.update(after, this.derived(after));
    const { entry, event } = this.#recordOf(eventOf(before, after), before, after, command);
    tables.record(entry, event);
    return after;
  }

  /** @throws ScimError 404, 412, and the errors of the edit */
  #edit(
    stored: StoredResource | undefined,
    command: UserChange,
    edit: (current: Attributes) => Attributes,
  ): { after: StoredResource; same: boolean } {
    if (!stored) throw this.notFound();
    mustMatch(command.ifMatch, stored.version);
    const before = this.defined(stored);
    const current = represent(before, 'User', command.source);
    const edited = edit(current);
    this.checkShown(current, edited);
    const after = this.#revise(before, edited, command);
    // A new password is a change too, though it is not stored here.
    const same = isSame(before, after) && command.credentialTicket === undefined;
    return { after: same ? stored : after, same };
  }

  #revise(before: StoredResource, edited: Attributes, command: UserChange): StoredResource {
    const { source = directSource } = command;
    const { data, externalId } = contentOf(edited);
    if (typeof data.userName !== 'string' || data.userName === '') {
      throw ScimError.invalidValue('A user must have a userName.');
    }
    const after = {
      ...before,
      version: before.version + 1,
      data,
      externalIds: withExternalId(before.externalIds, source, externalId),
      vouchedEmails: this.#vouched(before, data, command),
      updatedAt: this.now(),
    };
    return { ...after, departure: departureAfterChange(before, after, command.actor) ?? null };
  }

  /** Returns the sources that vouch for each address. A source that may not write addresses vouches for none. */
  #vouched(
    before: StoredResource | undefined,
    data: Attributes,
    command: Origin & Partial<UserChange>,
  ): VouchedEmails {
    const known = stillVouched(before, data);
    const { source, vouchesForEmails, withdrawn, named = addressesOf(data) } = command;
    if (withdrawn !== undefined) return withoutVoucher(withdrawn, known);
    if (vouchesForEmails !== true || source === undefined || source === directSource) return known;
    if (this.registryFor(command).attribute('User', 'emails')?.withheld) return known;
    return vouchedBy(source, named, known, data);
  }

  #recordOf(
    type: UserEvent,
    before: StoredResource | undefined,
    after: StoredResource,
    command: Origin & {
      credentialTicket?: string;
      restorableUntil?: Date | undefined;
      departure?: UserDeparture | undefined;
    },
  ): { entry: NewAuditEntry; event: NewEvent } {
    const { actor, source, credentialTicket, restorableUntil } = command;
    const departure = command.departure ?? after.departure ?? before?.departure ?? null;
    const changes: Changes = {
      ...this.changes(before, type === 'user.deleted' ? undefined : after),
      ...(credentialTicket !== undefined && { password: { after: '(changed)' } }),
    };
    return {
      entry: {
        occurredAt: after.updatedAt,
        actor,
        action: type,
        resourceType: 'User',
        resourceId: after.id,
        resourceVersion: after.version,
        ...(source !== undefined && { source }),
        changes,
        ...auditContext(),
      },
      event: {
        ...(departure?.version === after.version && { id: departure.eventId }),
        tenant: this.store.tenant,
        type,
        subject: after.id,
        version: after.version,
        actor,
        payload: {
          ...userSnapshot(after, { source, credentialTicket, restorableUntil }),
          departure,
          ...(type !== 'user.deleted' && { changedAttributes: attributesIn(changes) }),
        },
      },
    };
  }
}

/** Only `true` reactivates: an omitted or removed attribute must not reactivate a deactivated user. */
const keepingActive = (current: Attributes, edited: Attributes): Attributes => ({
  ...edited,
  active: edited.active ?? current.active ?? true,
});

function addGroups(user: Attributes, groups: readonly UserWithGroups['groups'][number][]): void {
  if (groups.length === 0) return;
  user.groups = groups.map(({ id, display, direct }) => ({
    value: id,
    display,
    type: direct ? 'direct' : 'indirect',
  }));
}
