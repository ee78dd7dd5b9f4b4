import { ScimError } from '@ostiary/scim';
import type { Caller } from './caller.ts';
import type { Page, Query, ResourceType, ScimResource } from './ports.ts';
import type { Resources } from './resources.ts';

export interface TypedPage {
  totalResults: number;
  startIndex: number;
  Resources: { type: ResourceType; resource: ScimResource }[];
}

/**
 * A search over both resource types (RFC 7644 section 3.4.3): users come first, then groups, each sorted by itself.
 * A type that lacks an attribute of the filter has no match (section 3.4.2.1); only when the filter fits neither is it
 * an error.
 */
export async function searchAll(resources: Resources, caller: Caller, query: Query): Promise<TypedPage> {
  const users = await attempt(resources, caller, 'User', query);
  const found = users instanceof ScimError ? { total: 0, page: [] } : contentOf(users);
  const groups = await attempt(resources, caller, 'Group', {
    ...query,
    startIndex: Math.max(1, query.startIndex - found.total),
    count: query.count - found.page.length,
  });
  if (groups instanceof ScimError) {
    if (users instanceof ScimError) throw users;
    return typed(query, found.total, found.page, []);
  }
  return typed(query, found.total + groups.totalResults, found.page, groups.Resources);
}

const contentOf = (page: Page) => ({ total: page.totalResults, page: page.Resources });

function typed(query: Query, totalResults: number, users: ScimResource[], groups: ScimResource[]): TypedPage {
  return {
    totalResults,
    startIndex: query.startIndex,
    Resources: [
      ...users.map((resource) => ({ type: 'User' as const, resource })),
      ...groups.map((resource) => ({ type: 'Group' as const, resource })),
    ],
  };
}

async function attempt(
  resources: Resources,
  caller: Caller,
  type: ResourceType,
  query: Query,
): Promise<Page | ScimError> {
  try {
    return await resources.search(caller, type, query);
  } catch (error) {
    if (error instanceof ScimError && error.status === 400) return error;
    throw error;
  }
}
