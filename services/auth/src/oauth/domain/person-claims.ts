import { type HttpPeer, isUnavailable, ServiceUnavailable } from '@ostiary/service';
import {
  attributeOfClaim,
  type DirectoryAttributes,
  directoryClaimsOf,
  type Subject,
} from '../../tenancy/index.ts';
import { profileClaimsOf } from './userinfo.ts';

/** Claims without which a response is sent if the directory is unavailable. */
const dispensable: ReadonlySet<string> = new Set(['middle_name', 'nickname', 'profile', 'picture']);

type KnownUser = Pick<Subject, 'tenant' | 'id' | 'profile'>;

/** Claims about a user from this service and the directory (OpenID Connect Core §5.1). */
export class UserClaims {
  readonly #directory: HttpPeer;

  constructor(directory: HttpPeer) {
    this.#directory = directory;
  }

  /**
   * Returns the requested claims about a user.
   * @returns undefined if the user no longer exists in the directory
   * @throws ServiceUnavailable if the directory is required and does not answer
   */
  async of(subject: KnownUser, names: ReadonlySet<string>): Promise<Record<string, unknown> | undefined> {
    const asked = [...names].filter((name) => attributeOfClaim.has(name));
    const attributes = asked.length === 0 ? {} : await this.#attributesOf(subject, asked);
    if (attributes === undefined) return undefined;
    const all: Record<string, unknown> = { ...profileClaimsOf(subject), ...directoryClaimsOf(attributes) };
    return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)));
  }

  /**
   * Reads attributes from the directory for each request: this service stores no addresses and phone numbers, and
   * receives no events about memberships.
   */
  async #attributesOf(
    { tenant, id }: KnownUser,
    claims: readonly string[],
  ): Promise<DirectoryAttributes | undefined> {
    const needed = claims.some((name) => !dispensable.has(name));
    try {
      const { status, body } = await this.#directory.request<DirectoryAttributes>({
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
}
