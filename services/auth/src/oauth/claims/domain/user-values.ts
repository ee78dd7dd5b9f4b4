import { type HttpPeer, ServiceUnavailable } from '@ostiary/service';
import {
  attributesToRequest,
  maxGroups,
  maxTextLength,
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

/** Attributes of a user that were read before. */
export interface ReadUser {
  userId: string;
  /** Attributes that were requested from the directory. */
  attributes: readonly string[];
  document: UserDocument;
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
   * @param known attributes that need not be read again
   * @throws ServiceUnavailable if the directory is required and does not answer
   */
  async of(
    tenant: string,
    userId: string | undefined,
    read: ReadAttributes,
    known?: ReadUser,
  ): Promise<UserValues> {
    const readsUser = read.groups || read.user.size + read.extensions.size > 0;
    const document =
      readsUser && userId !== undefined ? await this.#document(tenant, userId, read, known) : {};
    const all = (document.groups ?? []) as readonly GroupOfUser[];
    const tooManyGroups = all.length > maxGroups;
    const groups = tooManyGroups
      ? []
      : all.map(({ value, display }) => ({ value, name: nameOf(value, display) }));
    return {
      user: userValue(document, read),
      groups: groups.map(({ name }) => name),
      groupIds: groups.map(({ value }) => value),
      tooManyGroups,
    };
  }

  /** Reads the attributes that only the directory stores. Undefined if there are none. @throws ServiceUnavailable */
  async read(tenant: string, userId: string, read: ReadAttributes): Promise<ReadUser | undefined> {
    const attributes = attributesToRequest(read);
    if (attributes.length === 0) return undefined;
    return { userId, attributes, document: await this.#requested(tenant, userId, attributes) };
  }

  async #document(
    tenant: string,
    userId: string,
    read: ReadAttributes,
    known: ReadUser | undefined,
  ): Promise<UserDocument> {
    const attributes = attributesToRequest(read);
    if (attributes.length === 0) return this.#stored(tenant, userId);
    const isKnown = known?.userId === userId && attributes.every((one) => known.attributes.includes(one));
    return isKnown ? known.document : this.#requested(tenant, userId, attributes);
  }

  async #requested(tenant: string, userId: string, attributes: readonly string[]): Promise<UserDocument> {
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

/** The cost of expressions is based on the length of names. */
const nameOf = (id: string, display: string | undefined): string =>
  isBlank(display) || (display as string).length > maxTextLength ? id : (display as string);
