import { type HttpPeer, isUnavailable, ServiceUnavailable } from '@ostiary/service';
import {
  attributeOfClaim,
  type DirectoryAttributes,
  directoryClaimsOf,
  type Subject,
} from '../../subjects/index.ts';
import { profileClaimsOf } from './userinfo.ts';

export interface PersonClaims {
  /**
   * What is known of a person under these names (OpenID Connect Core §5.1).
   * @returns undefined when the directory no longer has them
   * @throws ServiceUnavailable when the directory is needed and doesn't answer
   */
  of(subject: Subject, names: ReadonlySet<string>): Promise<Record<string, unknown> | undefined>;
}

/** What a person's name and picture are besides: nobody is kept waiting, or out, for them. */
const dispensable: ReadonlySet<string> = new Set(['middle_name', 'nickname', 'profile', 'picture']);

export const createPersonClaims = (directory: HttpPeer): PersonClaims => ({
  async of(subject, names) {
    const asked = [...names].filter((name) => attributeOfClaim.has(name));
    const needed = asked.some((name) => !dispensable.has(name));
    const told = asked.length === 0 ? {} : await attributesOf(directory, subject, asked, needed);
    if (told === undefined) return undefined;
    const all: Record<string, unknown> = { ...profileClaimsOf(subject), ...directoryClaimsOf(told) };
    return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)));
  },
});

/**
 * What only the directory knows, asked of it at each request: this service keeps no addresses and numbers, and memberships change
 * without its hearing of it.
 */
async function attributesOf(
  directory: HttpPeer,
  { tenant, id }: Subject,
  claims: readonly string[],
  needed: boolean,
): Promise<DirectoryAttributes | undefined> {
  try {
    const { status, body } = await directory.request<DirectoryAttributes>({
      method: 'GET',
      path: `/internal/v1/tenants/${encodeURIComponent(tenant)}/Users/${encodeURIComponent(id)}`,
      query: { attributes: [...new Set(claims.map((claim) => attributeOfClaim.get(claim)))].join(',') },
    });
    if (status === 404) return needed ? undefined : {};
    if (status !== 200) throw new ServiceUnavailable('directory', { cause: `answered ${status}` });
    return body;
  } catch (error) {
    if (needed || !isUnavailable(error)) throw error;
    return {};
  }
}
