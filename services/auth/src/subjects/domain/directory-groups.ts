import { type HttpPeer, isUuid, type PeerRequest, ServiceUnavailable } from '@ostiary/service';

/** What the directory says about who is in which groups, as of one moment after it was asked. */
export interface MembersAnswer {
  /** People, by id, and in which of the groups asked about they are, directly or through others. */
  members: ReadonlyMap<string, readonly string[]>;
  /** Groups that don't exist (any more). */
  missing: readonly string[];
}

/** Most ids in one question, and people in one answer. */
export const mostMembers = 200;

/** The directory, as far as groups go. Every method throws ServiceUnavailable when it doesn't answer as it should. */
export interface DirectoryGroups {
  /**
   * Says what whoever adds members to a group must have; nobody needs anything when there are no scopes. When it returns, whoever
   * was added without is in what the directory answers from then on.
   * @returns false when there is no such group
   */
  tell(
    tenant: string,
    groupId: string,
    privilege: { scopes: readonly string[]; managedBySources: boolean; version: number },
  ): Promise<boolean>;
  /** Of these ids: who of them are people in the groups, and whether there are groups among them. */
  membersAmong(
    tenant: string,
    groupIds: readonly string[],
    ids: readonly string[],
  ): Promise<MembersAnswer & { nested: boolean }>;
  /**
   * Returns which of at most `mostGroups` groups have an active member, directly or through others, who is one of the users or in one of
   * the groups of `managers`, and which do not exist.
   */
  attended(
    tenant: string,
    groupIds: readonly string[],
    managers: { users: readonly string[]; groups: readonly string[] },
  ): Promise<{ active: ReadonlySet<string>; missing: ReadonlySet<string> }>;
  /** A page of everybody in the groups, in the order of their ids. */
  members(
    tenant: string,
    groupIds: readonly string[],
    after: string | undefined,
  ): Promise<MembersAnswer & { more: boolean }>;
}

/** Most groups in one question about who is left in them. */
export const mostGroups = 200;
/** Maximum number of users in one question about who could manage what groups own. */
const mostManagers = 1_000;

interface Answer {
  active?: unknown;
  members?: unknown;
  groups?: unknown;
  missing?: unknown;
  more?: unknown;
}

/** Milliseconds: somebody may be waiting for the tenant's lock. */
const timeoutMs = 3_000;

export function directoryGroups(directory: HttpPeer): DirectoryGroups {
  const base = (tenant: string) => `/internal/v1/tenants/${encodeURIComponent(tenant)}/Groups`;

  async function ask(tenant: string, body: object): Promise<Answer> {
    const call: PeerRequest = { method: 'POST', path: `${base(tenant)}/effective-members`, body };
    const answer = await directory.request<Answer>({ ...call, idempotent: true, timeoutMs });
    if (answer.status !== 200) throw unexpected(answer.status);
    return answer.body;
  }

  return {
    async tell(tenant, groupId, privilege) {
      const { status } = await directory.request<unknown>({
        method: 'PUT',
        path: `${base(tenant)}/${encodeURIComponent(groupId)}/privilege`,
        body: privilege,
        timeoutMs,
      });
      if (status === 404) return false;
      if (status !== 204) throw unexpected(status);
      return true;
    },
    async membersAmong(tenant, groups, ids) {
      const answer = await ask(tenant, { groups, ids });
      return { ...readAnswer(answer), nested: idsOf(answer.groups).length > 0 };
    },
    async attended(tenant, groups, managers) {
      const active = new Set<string>();
      for (let first = 0; ; first += mostManagers) {
        const ids = managers.users.slice(first, first + mostManagers);
        const among = { ids, groups: managers.groups };
        const answer = await ask(tenant, { groups, active: true, managers: among });
        for (const id of idsOf(answer.active)) active.add(id);
        if (first + mostManagers >= managers.users.length)
          return { active, missing: new Set(idsOf(answer.missing)) };
      }
    },
    async members(tenant, groups, after) {
      const answer = await ask(tenant, { groups, after, count: mostMembers });
      if (typeof answer.more !== 'boolean') throw unexpected(200);
      return { ...readAnswer(answer), more: answer.more };
    },
  };
}

/** What can't be read is no answer: it must not look like nobody being there. */
function readAnswer({ members, missing }: Answer): MembersAnswer {
  if (!Array.isArray(members)) throw unexpected(200);
  return {
    members: new Map(
      members.map((member: { id?: unknown; groups?: unknown } | null) => {
        const [id = ''] = idsOf([member?.id]);
        return [id, idsOf(member?.groups)];
      }),
    ),
    missing: idsOf(missing),
  };
}

function idsOf(value: unknown): string[] {
  const isId = (id: unknown): id is string => typeof id === 'string' && isUuid(id);
  if (!Array.isArray(value) || !value.every(isId)) throw unexpected(200);
  return value;
}

const unexpected = (status: number): ServiceUnavailable =>
  new ServiceUnavailable('directory', { cause: `answered ${status}, or an unreadable response` });
