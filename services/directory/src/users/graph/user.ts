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
import type { FieldResolvers } from '../../composition/loaders.ts';
import type { PlacedGroup } from '../../groups/data/memberships.ts';
import type { StoredResource } from '../../resources/data/rows.ts';
import { extensionResolvers } from '../../resources/graph/extensions.ts';
import { isVerified } from '../domain/vouching.ts';

type Fields = Record<string, unknown>;

const attribute = (name: string) => (user: StoredResource) => user.data[name] ?? null;

/** Values of a multi-valued attribute; one without a `value` says nothing. */
const values = (name: string) => (user: StoredResource) => {
  const list = user.data[name];
  return Array.isArray(list)
    ? list.filter(isJsonObject).filter((item) => typeof item.value === 'string')
    : [];
};

/** Values of a multi-valued attribute that has no `value`, but parts. */
const parts = (name: string) => (user: StoredResource) => {
  const list = user.data[name];
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
};

export const externalIds = (resource: StoredResource) =>
  Object.entries(resource.externalIds).map(([source, value]) => ({ source, value }));

/** Keeps cursors of other lists from being used in that of somebody's groups. */
const groupsKind = 'groupsOfUser';

/** What orders a group, and its id. */
const isPlace = (value: CursorValue): value is readonly [string, string] => {
  const [key, id] = Array.isArray(value) && value.length === 2 ? value : [];
  return typeof key === 'string' && !key.includes('\u0000') && typeof id === 'string' && isUuid(id);
};

export const userResolvers: FieldResolvers = {
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
    return (await loaders.groupsOfUser({ limit }).load(user.id)).map(groupOf);
  },
  groupsConnection: async (user: StoredResource, input: PagingArguments, { loaders }) => {
    const paging = pagingOf(input);
    const after = positionOf(paging, groupsKind, isPlace);
    const placed = await loaders
      .groupsOfUser({ limit: paging.limit + 1, after: after && { key: after[0], id: after[1] } })
      .load(user.id);
    const { edges, pageInfo } = connectionOf(placed, paging, ({ key, id }) =>
      encodeCursor(groupsKind, [key, id]),
    );
    return {
      pageInfo,
      edges: edges.map(({ cursor, node }) => ({ cursor, node: groupOf(node), direct: node.direct })),
    };
  },
};

/** A group as one of its members sees it. What else there is to see of it is read when it is asked for. */
export interface GroupOfMember {
  id: string;
  displayName: string;
  /** Whose group it is: they may see what it is called. */
  memberId: string;
}

const groupOf = ({ id, display, userId }: PlacedGroup): GroupOfMember => ({
  id,
  displayName: display,
  memberId: userId,
});
