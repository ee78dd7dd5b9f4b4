import type { Actor } from '@ostiary/events';
import { applyPatch, Projection, parseOperations, ScimError, validateResource } from '@ostiary/scim';
import { isUuid, uuidv7 } from '@ostiary/service';
import { removeFromAllGroups } from '../../groups/index.ts';
import { mustNotTouch } from '../../protection/index.ts';
import {
  type Attributes,
  type ChangeResource,
  type CreateResource,
  contentOf,
  directSource,
  isSame,
  mustMatch,
  type Origin,
  type PatchResource,
  type ReplaceResource,
  type ResourceContent,
  Resources,
  type ResourcesOptions,
  represent,
  type StoredResource,
  type View,
  type VouchedEmails,
  withExternalId,
} from '../../resources/index.ts';
import { deactivateUser } from './deactivate-user.ts';
import { departureBeforeReturn, departureOfDeletion } from './departures.ts';
import { isActive, type UserChange, type UserGuards } from './edited-user.ts';
import type { UserStore, UserTables, UserWithGroups } from './ports.ts';
import { reactivateUser } from './reactivate-user.ts';
import { shownVerified } from './shown-verified.ts';
import { updateUser } from './update-user.ts';
import { recordUser, type UserRecord } from './user-record.ts';
import { addressesNamed, addressesOf, stillVouched, vouchedBy, withoutVoucher } from './vouching.ts';

/** Number of attempts without the row's lock. */
const attemptsWithoutLock = 3;

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
    const { entry, event } = recordUser('user.created', user, this.#recorded(undefined, command));
    await this.store.write({ type: 'User', resource: user, derived: this.derived(user), entry, event });
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

  /** @throws ScimError 404, 412, 403 */
  deactivate(command: ChangeResource): Promise<StoredResource> {
    return this.patch({ ...command, operations: [{ op: 'replace', path: 'active', value: false }] });
  }

  /** @throws ScimError 404, 412, 403 */
  reactivate(command: ChangeResource): Promise<StoredResource> {
    return this.patch({ ...command, operations: [{ op: 'replace', path: 'active', value: true }] });
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

  async remove(command: ChangeResource): Promise<void> {
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
      const recorded = this.#recorded(user, command);
      const { entry, event } = recordUser('user.deleted', gone, recorded, { restorableUntil });
      tables.record(entry, event);
    });
  }

  /**
   * Publishes the state of a user again, for consumers that have lost it. Only the version changes.
   * @param left also that the user was offboarded, whether or not it is active again
   */
  async notifyAgain(id: string, left: boolean, actor: Actor): Promise<void> {
    await this.store.change(async (tables) => {
      const user = await tables.users.lock(id);
      if (!user) return;
      const after = { ...user, version: user.version + 1, updatedAt: this.now() };
      const ofLeaving = user.data.active === false ? 'user.deactivated' : 'user.reactivated';
      const type = left ? ofLeaving : 'user.updated';
      await tables.users.update(after, this.derived(after));
      const departure = type === 'user.reactivated' ? departureBeforeReturn(after, actor) : undefined;
      const { entry, event } = recordUser(type, after, this.#recorded(user, { actor }), { departure });
      tables.record(entry, event);
    });
  }

  /** Publishes the deletion of a user that no longer exists, for consumers that have lost it. */
  async notifyDeleted(id: string, version: number, actor: Actor): Promise<void> {
    const now = this.now();
    const gone = {
      id,
      version,
      data: { userName: id, active: false },
      externalIds: {},
      createdAt: now,
      updatedAt: now,
    };
    await this.store.change(async (tables) => {
      if (await tables.users.lock(id)) return;
      const { entry, event } = recordUser('user.deleted', gone, this.#recorded(undefined, { actor }));
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
    if (!found) throw this.notFound();
    const before = found.user;
    const record = await this.#apply(this.store, before, command, edit);
    this.#groupsRead.set(record?.after ?? before, found.groups);
    if (!record) {
      await this.schemas.mustBeCurrent();
      return before;
    }
    const { after, entry, event } = record;
    await this.checkReferences(this.store, before.data, after.data);
    const write = { type: 'User' as const, resource: after, derived: this.derived(after), entry, event };
    return (await this.store.write({ ...write, replaces: before.version })) ? after : undefined;
  }

  async #writeLocked(
    tables: UserTables,
    command: UserChange,
    edit: (current: Attributes) => Attributes,
  ): Promise<StoredResource> {
    const before = await tables.users.lock(command.id);
    if (!before) throw this.notFound();
    const record = await this.#apply(tables, before, command, edit);
    if (!record) {
      this.schemas.mustBe(await tables.settings.schemasVersion());
      return before;
    }
    const { after, entry, event } = record;
    await this.checkReferences(tables, before.data, after.data);
    await tables.users.update(after, this.derived(after));
    tables.record(entry, event);
    return after;
  }

  /** Applies the edit by the rule for its effect. @returns undefined when nothing changes */
  async #apply(
    tables: UserGuards,
    before: StoredResource,
    command: UserChange,
    edit: (current: Attributes) => Attributes,
  ): Promise<UserRecord | undefined> {
    // A protected account and another version are reported before an invalid edit.
    await mustNotTouch(tables, command, before.id);
    mustMatch(command.ifMatch, before.version);
    const content = this.#edited(this.defined(before), command, edit);
    if (!content) return undefined;
    const user = { ...this.#recorded(before, command), before, content, now: this.now() };
    if (isActive(before) && !isActive(content)) return deactivateUser(tables, user);
    if (!isActive(before) && isActive(content)) return reactivateUser(tables, user);
    return updateUser(tables, user);
  }

  /** @returns undefined when the edit changes nothing @throws ScimError 400 and the errors of the edit */
  #edited(
    before: StoredResource,
    command: UserChange,
    edit: (current: Attributes) => Attributes,
  ): ResourceContent | undefined {
    const { source = directSource } = command;
    const current = represent(before, 'User', source);
    const edited = edit(current);
    this.checkShown(current, edited);
    const { data, externalId } = contentOf(edited);
    if (typeof data.userName !== 'string' || data.userName === '') {
      throw ScimError.invalidValue('A user must have a userName.');
    }
    const externalIds = withExternalId(before.externalIds, source, externalId);
    const content = { data, externalIds, vouchedEmails: this.#vouched(before, data, command) };
    // A new password is a change too, though it is not stored here.
    const changes = command.credentialTicket !== undefined || !isSame(before, content);
    return changes ? content : undefined;
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

  #recorded<Before, Command>(before: Before, command: Command) {
    return { tenant: this.store.tenant, registry: this.registry, before, command };
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
