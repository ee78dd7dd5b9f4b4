import {
  type CursorValue,
  connectionOf,
  encodeCursor,
  maxPageSize,
  type PagingArguments,
  pagingOf,
  positionOf,
} from '@ostiary/graph';
import { ENTERPRISE_USER_SCHEMA, isJsonObject } from '@ostiary/scim';
import { isUuid } from '@ostiary/service';
import { groupOf } from '../../groups/graph/group.ts';
import { extensionResolvers } from '../../resources/graph/extensions.ts';
import { externalIds } from '../../resources/graph/external-ids.ts';
import type { StoredResource } from '../../resources/index.ts';
import { isVerified } from '../domain/vouching.ts';
import type { UserResolvers } from './loaders.ts';

type Fields = Record<string, unknown>;

const attribute = (name: string) => (user: StoredResource) => user.data[name] ?? null;

/** Returns the values of a multi-valued attribute that have a `value`. */
const values = (name: string) => (user: StoredResource) => {
  const list = user.data[name];
  return Array.isArray(list)
    ? list.filter(isJsonObject).filter((item) => typeof item.value === 'string')
    : [];
};

/** Returns the values of a multi-valued attribute with sub-attributes instead of `value`. */
const parts = (name: string) => (user: StoredResource) => {
  const list = user.data[name];
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
};

/** Distinguishes the cursors of a user's groups from those of other lists. */
const groupsKind = 'groupsOfUser';

/** Reports whether the value is the sort key and the id of a group. */
const isPlace = (value: CursorValue): value is readonly [string, string] => {
  const [key, id] = Array.isArray(value) && value.length === 2 ? value : [];
  return typeof key === 'string' && !key.includes('\u0000') && typeof id === 'string' && isUuid(id);
};

export const userResolvers: UserResolvers = {
  ...extensionResolvers('User'),
  userName: attribute('userName'),
  displayName: attribute('displayName'),
  active: (user: StoredResource) => user.data.active !== false,
  name: attribute('name'),
  nickName: attribute('nickName'),
  profileUrl: attribute('profileUrl'),
  title: attribute('title'),
  userType: attribute('userType'),
  preferredLanguage: attribute('preferredLanguage'),
  locale: attribute('locale'),
  timezone: attribute('timezone'),
  emails: (user: StoredResource) =>
    values('emails')(user).map((email) => ({ ...email, verified: isVerified(user, email.value) })),
  phoneNumbers: values('phoneNumbers'),
  ims: values('ims'),
  photos: values('photos'),
  addresses: parts('addresses'),
  entitlements: values('entitlements'),
  scimRoles: values('roles'),
  x509Certificates: values('x509Certificates'),
  employment: (user: StoredResource) => {
    const employment = user.data[ENTERPRISE_USER_SCHEMA] as Fields | undefined;
    return employment
      ? { ...employment, managerId: (employment.manager as Fields | undefined)?.value ?? null }
      : null;
  },
  externalIds,
  groups: async (user: StoredResource, { first }: { first?: number | null }, { loaders }) => {
    const { limit } = pagingOf({ first: first ?? maxPageSize });
    return (await loaders.groupsOfUser({ limit, direction: 'forward' }).load(user.id)).map(groupOf);
  },
  groupsConnection: async (user: StoredResource, input: PagingArguments, { loaders }) => {
    const paging = pagingOf(input);
    const { limit, direction } = paging;
    const place = positionOf(paging, groupsKind, isPlace);
    const position = place && { key: place[0], id: place[1] };
    const placed = await loaders.groupsOfUser({ limit: limit + 1, direction, position }).load(user.id);
    const { edges, pageInfo } = connectionOf(placed, paging, ({ key, id }) =>
      encodeCursor(groupsKind, [key, id]),
    );
    return {
      pageInfo,
      edges: edges.map(({ cursor, node }) => ({ cursor, node: groupOf(node), direct: node.direct })),
      totalCount: async () => {
        // After the last cursor the page is empty although there are groups.
        const first = placed[0]
          ? placed
          : await loaders.groupsOfUser({ limit: 1, direction: 'forward' }).load(user.id);
        return first[0]?.total ?? 0;
      },
    };
  },
};
