import { type HttpPeer, isUuid, type PeerRequest, ServiceUnavailable } from '@ostiary/service';

/** Memberships in the directory, in one snapshot taken after the request. */
export interface MembersAnswer {
  /** Ids of users, with those of the requested groups in which they are, directly or through others. */
  members: ReadonlyMap<string, readonly string[]>;
  /** Groups that do not exist or were deleted. */
  missing: readonly string[];
}

/** Maximum number of ids per request, and of users per answer. */
export const maxMembers = 200;

/** Scopes that the roles of a group require of callers who change it or its members. */
export interface GroupPrivilege {
  /** Scopes for adding members; without scopes there is no requirement. */
  scopes: readonly string[];
  /** Scopes for changing identifiers of members. */
  identifyingScopes: readonly string[];
  managedBySources: boolean;
  version: number;
}

/** Groups of the directory. Every method throws ServiceUnavailable when the directory does not answer as specified. */
export interface DirectoryGroups {
  /**
   * Sets the privilege of a group. Members that were added without its scopes before it returns are in later answers.
   * @returns false if there is no such group
   */
  tell(tenant: string, groupId: string, privilege: GroupPrivilege): Promise<boolean>;
  /** Returns the users among these ids that are in the groups, and whether there are groups among the ids. */
  membersAmong(
    tenant: string,
    groupIds: readonly string[],
    ids: readonly string[],
  ): Promise<MembersAnswer & { nested: boolean }>;
  /**
   * Returns which of at most `maxGroups` groups have an active member, directly or through others, who is one of the
   * users or in one of the groups of `managers`, and which do not exist.
   */
  attended(
    tenant: string,
    groupIds: readonly string[],
    managers: { users: readonly string[]; groups: readonly string[] },
  ): Promise<{ active: ReadonlySet<string>; missing: ReadonlySet<string> }>;
  /** Returns a page of the members of the groups, in the order of ids. */
  members(
    tenant: string,
    groupIds: readonly string[],
    after: string | undefined,
  ): Promise<MembersAnswer & { more: boolean }>;
}

/** Maximum number of groups per request for active members. */
export const maxGroups = 200;
/** Maximum number of users per request for active managers. */
const maxManagers = 1_000;

interface Answer {
  active?: unknown;
  members?: unknown;
  groups?: unknown;
  missing?: unknown;
  more?: unknown;
}

/** Timeout in milliseconds; another transaction may be waiting for the tenant's lock. */
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
      for (let first = 0; ; first += maxManagers) {
        const ids = managers.users.slice(first, first + maxManagers);
        const among = { ids, groups: managers.groups };
        const answer = await ask(tenant, { groups, active: true, managers: among });
        for (const id of idsOf(answer.active)) active.add(id);
        if (first + maxManagers >= managers.users.length)
          return { active, missing: new Set(idsOf(answer.missing)) };
      }
    },
    async members(tenant, groups, after) {
      const answer = await ask(tenant, { groups, after, count: maxMembers });
      if (typeof answer.more !== 'boolean') throw unexpected(200);
      return { ...readAnswer(answer), more: answer.more };
    },
  };
}

/** A malformed answer is an error. It must not look like a group without members. */
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
