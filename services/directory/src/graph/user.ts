import { ENTERPRISE_USER_SCHEMA, isJsonObject } from '@ostiary/scim';
import type { GroupOfUser } from '../data/memberships.ts';
import type { StoredResource } from '../data/rows.ts';
import { extensionResolvers } from './extensions.ts';
import type { FieldResolvers } from './loaders.ts';

type Fields = Record<string, unknown>;

const attribute = (name: string) => (user: StoredResource) => user.data[name] ?? null;

/** Values of a multi-valued attribute; one without a `value` says nothing. */
const values = (name: string) => (user: StoredResource) => {
  const list = user.data[name];
  return Array.isArray(list)
    ? list.filter((item) => isJsonObject(item) && typeof item.value === 'string')
    : [];
};

export const externalIds = (resource: StoredResource) =>
  Object.entries(resource.externalIds).map(([source, value]) => ({ source, value }));

export const userResolvers: FieldResolvers = {
  ...extensionResolvers('User'),
  userName: attribute('userName'),
  displayName: attribute('displayName'),
  active: (user: StoredResource) => user.data.active !== false,
  name: attribute('name'),
  nickName: attribute('nickName'),
  title: attribute('title'),
  preferredLanguage: attribute('preferredLanguage'),
  locale: attribute('locale'),
  timezone: attribute('timezone'),
  emails: values('emails'),
  phoneNumbers: values('phoneNumbers'),
  employment: (user: StoredResource) => {
    const employment = user.data[ENTERPRISE_USER_SCHEMA] as Fields | undefined;
    return employment
      ? { ...employment, managerId: (employment.manager as Fields | undefined)?.value ?? null }
      : null;
  },
  externalIds,
  groups: (user: StoredResource, _args, { loaders }) => loaders.groupsOfUser.load(user.id),
};

export const userGroupResolvers: FieldResolvers = {
  displayName: (membership: GroupOfUser) => membership.display,
  group: (membership: GroupOfUser, _args, { loaders }) => loaders.groups.load(membership.id),
};
