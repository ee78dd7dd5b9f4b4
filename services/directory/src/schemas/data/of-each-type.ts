import type { ResourceType } from '../domain/stored-schema.ts';

/** Returns the same value for users and for groups, whose tables differ. */
export const ofEachType = <T>(make: (type: ResourceType) => T): Readonly<Record<ResourceType, T>> => ({
  User: make('User'),
  Group: make('Group'),
});
