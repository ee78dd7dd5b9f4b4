import { ScimError } from '@ostiary/scim';
import { isUuid } from '@ostiary/service';
import { givesRole } from '../../errors/index.ts';
import { directSource, type Origin } from '../../resources/index.ts';
import type { EffectiveMember, Managers, Privilege, PrivilegeTables, RoleStore } from './ports.ts';

/**
 * Rejects adding members to groups that give rights, unless the caller could give those rights directly, or is an
 * identity source that may manage all of these groups. Asked after the members were added: existing members are
 * given nothing.
 * @throws ScimError 403, or what `mayGive` throws
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

/** For the authorization server: the members of groups that give rights. */
export class Privileges {
  readonly #store: RoleStore;

  constructor(store: RoleStore) {
    this.#store = store;
  }

  /**
   * Notes that a caller who adds members to a group must have these scopes; none are needed when there are none. What was noted under a
   * higher version stays. When this returns, each change of members that didn't know of it has been committed.
   * @throws ScimError 404 when the group doesn't exist, unless it gives nothing any more
   */
  async set(privilege: Privilege, version: number): Promise<void> {
    const { groupId, scopes } = privilege;
    if (!isUuid(groupId)) throw noGroup();
    await this.#store.change(async ({ privileges, groups }) => {
      if (scopes.length > 0 && !(await groups.find(groupId))) throw noGroup();
      await privileges.set(privilege, version);
    });
  }

  /** What identity sources can give by adding to groups that they may manage, in scopes. */
  givenBySources(): Promise<string[]> {
    return this.#store.change(({ privileges }) => privileges.givenBySources());
  }

  /**
   * Notes that a caller who changes the identifiers of a user must have these scopes: those of the user's own roles. What was noted
   * under a higher version stays.
   */
  async setOfUser(userId: string, scopes: readonly string[], version: number): Promise<void> {
    if (!isUuid(userId)) throw ScimError.notFound('There is no such User.');
    await this.#store.roleHolders.set(userId, scopes, version);
  }

  /** Which of these users are in which of the groups now, which of the ids are groups, and which groups aren't there. */
  async membersAmong(
    groupIds: readonly string[],
    ids: readonly string[],
  ): Promise<{ members: EffectiveMember[]; groups: string[]; missing: string[] }> {
    const { effective } = this.#store;
    const groups = await effective.groupsAmong(ids);
    return { members: await effective.among(groupIds, ids), groups, missing: await this.#missing(groupIds) };
  }

  /** All members of the groups, page by page. */
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

  /** Which of the groups have an active member, who is among the managers if there are any given, and which groups aren't there. */
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
