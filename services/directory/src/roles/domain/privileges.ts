import { ScimError } from '@ostiary/scim';
import { isUuid } from '@ostiary/service';
import { givesRole } from '../../errors/index.ts';
import { directSource, type Origin } from '../../resources/index.ts';
import type { EffectiveMember, Managers, PrivilegeTables, RoleStore, StoredPrivilege } from './ports.ts';

/**
 * Rejects added members of groups that grant rights, unless the caller could grant those rights directly, or is an
 * identity source that may manage all of these groups. Called after the members were added, because existing members
 * gain nothing.
 * @throws ScimError 403, or the error that `mayGive` throws
 */
export async function mustBeAllowedToGive(
  { privileges }: PrivilegeTables,
  { source, mayGive }: Pick<Origin, 'source' | 'mayGive'>,
  groupIds: readonly string[],
): Promise<void> {
  const given = await privileges.givenBy(groupIds);
  if (given.length === 0) return;
  const isSource = source !== undefined && source !== directSource;
  if (isSource && given.every(({ managedBySources }) => managedBySources)) return;
  const scopes = [...new Set(given.flatMap((privilege) => privilege.scopes))];
  if (isSource || !mayGive) throw givesRole();
  await mayGive(scopes);
}

/** For the authorization server: the members of groups that grant rights. */
export class Privileges {
  readonly #store: RoleStore;

  constructor(store: RoleStore) {
    this.#store = store;
  }

  /**
   * Sets the scopes that a caller who adds members to a group, or who changes identifiers of its members, must have; an
   * empty list requires none. A privilege of a higher version stays. When this returns, every change of members without it has been committed.
   * @throws ScimError 404 when the group does not exist, unless the list is empty
   */
  async set(privilege: StoredPrivilege, version: number): Promise<void> {
    const { groupId, scopes } = privilege;
    if (!isUuid(groupId)) throw noGroup();
    await this.#store.change(async ({ privileges, groups }) => {
      if (scopes.length > 0 && !(await groups.find(groupId))) throw noGroup();
      await privileges.set(privilege, version);
    });
  }

  /** Returns the scopes that identity sources can grant through the groups that they may manage. */
  givenBySources(): Promise<string[]> {
    return this.#store.change(({ privileges }) => privileges.givenBySources());
  }

  /**
   * Sets the scopes that a caller who changes the identifiers of a user must have: those of the user's own roles. A
   * value of a higher version stays.
   */
  async setOfUser(userId: string, scopes: readonly string[], version: number): Promise<void> {
    if (!isUuid(userId)) throw ScimError.notFound('There is no such User.');
    await this.#store.roleHolders.set(userId, scopes, version);
  }

  /** Returns the members of the groups among these ids, the ids that are groups, and the groups that do not exist. */
  async membersAmong(
    groupIds: readonly string[],
    ids: readonly string[],
  ): Promise<{ members: EffectiveMember[]; groups: string[]; missing: string[] }> {
    const { effective } = this.#store;
    const groups = await effective.groupsAmong(ids);
    return { members: await effective.among(groupIds, ids), groups, missing: await this.#missing(groupIds) };
  }

  /** Returns a page of the members of the groups. */
  async members(
    groupIds: readonly string[],
    page: { after: string | undefined; limit: number },
  ): Promise<{ members: EffectiveMember[]; more: boolean; missing: string[] }> {
    const members = await this.#store.effective.page(groupIds, { ...page, limit: page.limit + 1 });
    return {
      members: members.slice(0, page.limit),
      more: members.length > page.limit,
      missing: await this.#missing(groupIds),
    };
  }

  /** Returns the groups that have an active member, among the managers if given, and the groups that do not exist. */
  async attended(
    groupIds: readonly string[],
    managers?: Managers,
  ): Promise<{ active: string[]; missing: string[] }> {
    const active = await this.#store.effective.attended(groupIds, managers);
    return { active, missing: await this.#missing(groupIds) };
  }

  async #missing(groupIds: readonly string[]): Promise<string[]> {
    const there = new Set(await this.#store.effective.groupsAmong(groupIds));
    return groupIds.filter((id) => !there.has(id));
  }
}

const noGroup = (): ScimError => ScimError.notFound('There is no such Group.');
