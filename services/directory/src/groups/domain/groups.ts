import {
  applyPatch,
  type Projection,
  parseOperations,
  planGroupPatch,
  ScimError,
  validateResource,
} from '@ostiary/scim';
import { isUuid, uuidv7 } from '@ostiary/service';
import { mustNotTouch, mustNotTouchGroup, mustNotTouchMembers } from '../../protection/index.ts';
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
  Resources,
  type ResourcesOptions,
  represent,
  type StoredResource,
  withExternalId,
} from '../../resources/index.ts';
import { mustBeAllowedToGive } from '../../roles/index.ts';
import { mustBeFreeName } from './group-names.ts';
import { isIdle, type MemberPlan, type MemberStep, planMembers, unknownMember } from './member-plan.ts';
import type { MemberDelta, MemberIds } from './memberships.ts';
import type { GroupStore, MembershipTables } from './ports.ts';
import { type MembersChanged, recordGroup } from './recording.ts';

const none: MemberDelta = { total: 0, ids: [] };
const unchanged: MembersChanged = { added: none, removed: none };

export class Groups extends Resources<GroupStore> {
  readonly #policyDefaults: ResourcesOptions['policyDefaults'];

  constructor(options: ResourcesOptions<GroupStore>) {
    super('Group', options);
    this.#policyDefaults = options.policyDefaults;
  }

  create(command: CreateResource): Promise<StoredResource> {
    return this.schemas.during(() => this.#create(command));
  }

  async #create(command: CreateResource): Promise<StoredResource> {
    const valid = validateResource(command.resource, this.registryFor(command), 'Group', 'create');
    this.checkShown(undefined, valid);
    const { data, externalId } = contentOf(valid);
    const plan = planMembers([{ op: 'add', ids: memberIdsOf(valid.members) }]);
    const now = this.now();
    const group: StoredResource = {
      id: this.newId(command.id, uuidv7),
      version: 1,
      data,
      externalIds: withExternalId({}, command.source ?? directSource, externalId),
      createdAt: now,
      updatedAt: now,
    };
    await this.store.change(async (tables) => {
      const members = await membersByType(tables, plan);
      await this.checkReferences(tables, undefined, data);
      await mustBeFreeName(tables, undefined, group, this.#policyDefaults);
      await tables.groups.insert(group, this.derived(group));
      // A new group is in no other group, so a cycle can arise only when it names itself.
      if (members.groups.includes(group.id)) throw cyclic();
      await mustNotTouchMembers(tables, command, group.id, plan);
      const added = await tables.memberships.add(group.id, members, now);
      recordGroup(
        tables,
        this.store.tenant,
        'group.created',
        group,
        { added, removed: none },
        command,
        this.changes(undefined, group),
      );
    });
    return group;
  }

  replace(command: ReplaceResource): Promise<StoredResource> {
    return this.schemas.during(() => {
      const registry = this.registryFor(command);
      const { members, ...valid } = validateResource(command.resource, registry, 'Group', 'replace', {
        incomplete: true,
      });
      // A caller that may not write members leaves them unchanged.
      const steps: MemberStep[] = registry.attribute('Group', 'members')?.withheld
        ? []
        : [{ op: 'replace', ids: memberIdsOf(members) }];
      return this.#change(command, steps, (current) =>
        validateResource(valid, registry, 'Group', 'replace', { current }),
      );
    });
  }

  patch(command: PatchResource): Promise<StoredResource> {
    const operations = parseOperations(command.operations);
    return this.schemas.during(() => {
      const registry = this.registryFor(command);
      const plan = planGroupPatch(operations, registry);
      return this.#change(
        command,
        plan.members,
        (current) => applyPatch(current, plan.attributes, registry, 'Group').resource,
      );
    });
  }

  async remove(command: ChangeResource): Promise<void> {
    if (!isUuid(command.id)) throw this.notFound();
    await this.store.change(async (tables) => {
      await tables.memberships.lockNesting();
      // In the order of ids, together with its parent groups, so that two deletions cannot deadlock.
      await tables.groups.lockMany([command.id, ...(await tables.memberships.directGroupsOf(command.id))]);
      const group = await tables.groups.lock(command.id, 'deletion');
      if (!group) throw this.notFound();
      await mustNotTouch(tables, command, command.id);
      mustMatch(command.ifMatch, group.version);
      const now = this.now();
      const gone = { ...group, version: group.version + 1, updatedAt: now };
      await tables.deleted.keep('Group', command.id, {
        version: gone.version,
        at: now,
        actor: command.actor,
      });
      await removeFromAllGroups(tables, command.id, this.store.tenant, command, now);
      await tables.groups.delete(command.id);
      const changes = this.changes(group, undefined);
      recordGroup(tables, this.store.tenant, 'group.deleted', gone, unchanged, command, changes);
    });
  }

  /** Adds or removes members by id. @throws ScimError 404, 412, invalidValue for unknown members and cycles */
  changeMembers(
    command: Origin & { id: string; ifMatch?: readonly string[] },
    steps: readonly MemberStep[],
  ): Promise<StoredResource> {
    return this.schemas.during(() => this.#change(command, steps, undefined));
  }

  protected override async room(groups: readonly StoredResource[], most: number): Promise<number> {
    const counts = await this.store.memberships.countMembers(groups.map(({ id }) => id));
    let members = 0;
    const full = groups.findIndex(({ id }) => {
      members += counts.get(id) ?? 0;
      return members > most;
    });
    return full < 0 ? groups.length : Math.max(1, full);
  }

  /** Adds `members` for all groups in one statement, if they are requested. */
  protected async complete(groups: Attributes[], projection: Projection, most?: number): Promise<void> {
    if (groups.length === 0 || !projection.includes('members')) return;
    const ids = groups.map((group) => String(group.id));
    const members = await this.store.memberships.membersOfGroups(ids, most);
    for (const group of groups) {
      const ofGroup = members.get(String(group.id));
      if (ofGroup) group.members = ofGroup.map(({ id, type, display }) => ({ value: id, type, display }));
    }
  }

  async #change(
    command: Omit<ReplaceResource, 'resource' | 'credentialTicket'>,
    steps: readonly MemberStep[],
    edit: ((current: Attributes) => Attributes) | undefined,
  ): Promise<StoredResource> {
    if (!isUuid(command.id)) throw this.notFound();
    const plan = planMembers(steps);
    return this.store.change(async (tables) => {
      const lookedUp = await lookUp(tables, plan);
      const stored = await tables.groups.lock(command.id);
      if (!stored) throw this.notFound();
      const before = this.defined(stored);
      await mustNotTouchGroup(tables, command, command.id);
      mustMatch(command.ifMatch, before.version);
      const members = allExisting(plan, lookedUp);
      await mustNotTouchMembers(tables, command, command.id, plan);
      const current = represent(before, 'Group', command.source);
      const edited = edit?.(current);
      if (edited) this.checkShown(current, edited);
      const after = this.#revise(before, edited, command);
      const changed = await applyPlan(tables, command.id, plan, members, after.updatedAt);
      if (changed.added.total > 0) await mustBeAllowedToGive(tables, command, [command.id]);
      if (isSame(before, after)) {
        // Nothing is written under the schemas, so the database does not detect that they are outdated.
        if (edit) this.schemas.mustBe(await tables.settings.schemasVersion());
        if (changed.added.total + changed.removed.total === 0) return before;
        await tables.groups.touchMany([command.id], after.updatedAt);
      } else {
        await this.checkReferences(tables, before.data, after.data);
        await mustBeFreeName(tables, before, after, this.#policyDefaults);
        await tables.groups.update(after, this.derived(after));
      }
      recordGroup(
        tables,
        this.store.tenant,
        'group.updated',
        after,
        changed,
        command,
        this.changes(before, after),
      );
      return after;
    });
  }

  #revise(
    before: StoredResource,
    edited: Attributes | undefined,
    { source = directSource }: Origin,
  ): StoredResource {
    const revised = { ...before, version: before.version + 1, updatedAt: this.now() };
    if (!edited) return revised;
    const { data, externalId } = contentOf(edited);
    if (typeof data.displayName !== 'string' || data.displayName === '') {
      throw ScimError.invalidValue('A group must have a displayName.');
    }
    return { ...revised, data, externalIds: withExternalId(before.externalIds, source, externalId) };
  }
}

/**
 * Removes a user or group that is being deleted from its groups, which changes each of them. The groups are locked
 * before their memberships are changed, as in every transaction.
 */
export async function removeFromAllGroups(
  tables: MembershipTables,
  memberId: string,
  tenant: string,
  command: Origin,
  at: Date,
): Promise<void> {
  await tables.groups.lockMany(await tables.memberships.directGroupsOf(memberId));
  const groupIds = await tables.memberships.removeEverywhere(memberId);
  if (groupIds.length === 0) return;
  const removed: MemberDelta = { total: 1, ids: [memberId] };
  for (const group of await tables.groups.touchMany(groupIds, at)) {
    recordGroup(tables, tenant, 'group.updated', group, { added: none, removed }, command, {});
  }
}

type LookedUp = ReadonlyMap<string, 'User' | 'Group'>;

/** Returns the types of a plan's members. When groups are among them, nesting is locked first. */
async function lookUp({ memberships }: MembershipTables, plan: MemberPlan): Promise<LookedUp> {
  if (plan.mentioned.size === 0) return new Map();
  const types = await memberships.holdMembers([...plan.mentioned]);
  if ([...types.values()].includes('Group')) await memberships.lockNesting();
  return types;
}

/** @throws ScimError invalidValue when one is not in this tenant, whether another tenant has it or not */
function allExisting(plan: MemberPlan, types: LookedUp): MemberIds {
  for (const id of plan.mentioned) if (!types.has(id)) throw unknownMember(id);
  const ids = [...plan.add];
  return {
    users: ids.filter((id) => types.get(id) === 'User'),
    groups: ids.filter((id) => types.get(id) === 'Group'),
  };
}

const membersByType = async (tables: MembershipTables, plan: MemberPlan): Promise<MemberIds> =>
  allExisting(plan, await lookUp(tables, plan));

async function applyPlan(
  { memberships }: MembershipTables,
  groupId: string,
  plan: MemberPlan,
  members: MemberIds,
  at: Date,
): Promise<MembersChanged> {
  if (isIdle(plan)) return unchanged;
  const removed = plan.exclusive
    ? await memberships.retain(groupId, [...plan.add])
    : await memberships.remove(groupId, [...plan.remove]);
  if (members.groups.length > 0) {
    const above = new Set([groupId, ...(await memberships.ancestorsOf(groupId))]);
    if (members.groups.some((id) => above.has(id))) throw cyclic();
  }
  return { added: await memberships.add(groupId, members, at), removed };
}

const cyclic = (): ScimError =>
  ScimError.conflict('A group must not contain itself, directly or through others.');

function memberIdsOf(members: unknown): string[] {
  if (!Array.isArray(members)) return [];
  return members.map((member: { value?: unknown } | null) => {
    if (typeof member?.value !== 'string') throw unknownMember();
    return member.value;
  });
}
