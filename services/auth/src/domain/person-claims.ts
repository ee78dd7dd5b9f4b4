import { type HttpPeer, ServiceUnavailable } from '@ostiary/service';
import type { Subject } from './ports.ts';
import { profileClaimsOf } from './userinfo.ts';

export interface PersonClaims {
  /**
   * What is known of a person under these names (OpenID Connect Core §5.1).
   * @returns undefined when the directory no longer has them
   * @throws ServiceUnavailable when the directory is needed and doesn't answer
   */
  of(subject: Subject, names: ReadonlySet<string>): Promise<Record<string, unknown> | undefined>;
}

export const createPersonClaims = (directory: HttpPeer): PersonClaims => ({
  async of(subject, names) {
    const groups = names.has('groups') ? await groupsOf(directory, subject) : [];
    if (groups === undefined) return undefined;
    const all: Record<string, unknown> = { ...profileClaimsOf(subject), groups };
    return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)));
  },
});

/** Names of the person's groups, asked of their owner: membership changes without this service hearing of it. */
async function groupsOf(directory: HttpPeer, { tenant, id }: Subject): Promise<string[] | undefined> {
  const { status, body } = await directory.request<{ groups?: { value: string; display?: string }[] }>({
    method: 'GET',
    path: `/internal/v1/tenants/${encodeURIComponent(tenant)}/Users/${encodeURIComponent(id)}`,
    query: { attributes: 'groups' },
  });
  if (status === 404) return undefined;
  if (status !== 200) throw new ServiceUnavailable('directory', { cause: `answered ${status}` });
  return (body.groups ?? []).map((group) => group.display ?? group.value);
}
