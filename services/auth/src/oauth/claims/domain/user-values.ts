import { type HttpPeer, ServiceUnavailable } from '@ostiary/service';
import {
  attributesToRequest,
  maxGroups,
  type ReadAttributes,
  type UserDocument,
  userValue,
} from '../../../clients/index.ts';
import { isBlank, type Subjects } from '../../../tenancy/index.ts';

export interface UserValuesOptions {
  directory: HttpPeer;
  subjects: Subjects;
}

/** Values of a user for the expressions of claim mappings. */
export interface UserValues {
  user: Record<string, unknown>;
  groups: string[];
  groupIds: string[];
  tooManyGroups: boolean;
}

interface GroupOfUser {
  value: string;
  display?: string;
}

/** Reads the attributes that expressions name, at the time of the request. */
export class UserValueSource {
  readonly #o: UserValuesOptions;

  constructor(o: UserValuesOptions) {
    this.#o = o;
  }

  /**
   * Returns the values of a user; of a user that no longer exists, and of a client that acts for itself, none.
   * @throws ServiceUnavailable if the directory is required and does not answer
   */
  async of(tenant: string, userId: string | undefined, read: ReadAttributes): Promise<UserValues> {
    const readsUser = read.groups || read.user.size + read.extensions.size > 0;
    const document = readsUser && userId !== undefined ? await this.#document(tenant, userId, read) : {};
    const all = (document.groups ?? []) as readonly GroupOfUser[];
    const tooManyGroups = all.length > maxGroups;
    const groups = tooManyGroups ? [] : all;
    return {
      user: userValue(document, read),
      groups: groups.map(({ value, display }) => (isBlank(display) ? value : (display as string))),
      groupIds: groups.map(({ value }) => value),
      tooManyGroups,
    };
  }

  async #document(tenant: string, userId: string, read: ReadAttributes): Promise<UserDocument> {
    const attributes = attributesToRequest(read);
    if (attributes.length === 0) return this.#stored(tenant, userId);
    const { status, body } = await this.#o.directory.request<UserDocument>({
      method: 'GET',
      path: `/internal/v1/tenants/${encodeURIComponent(tenant)}/Users/${encodeURIComponent(userId)}`,
      query: { attributes: attributes.join(',') },
    });
    if (status === 404) return {};
    if (status !== 200) throw new ServiceUnavailable('directory', { cause: `answered ${status}` });
    return body;
  }

  async #stored(tenant: string, userId: string): Promise<UserDocument> {
    const subject = await this.#o.subjects.find(tenant, userId);
    if (!subject) return {};
    const { zoneinfo, ...profile } = subject.profile;
    return { ...profile, timezone: zoneinfo };
  }
}
