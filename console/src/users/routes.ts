import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as v from 'valibot';
import { tenantRoute } from '../navigation/index.ts';
import { listSearch } from './list/list-search.ts';
import { userTabs } from './person-tabs.ts';

export const usersRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'users',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./users-page.tsx'), 'UsersPage'),
});

const deletedUsersRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'users/deleted',
  component: lazyRouteComponent(() => import('./deleted-users-page.tsx'), 'DeletedUsersPage'),
});

export const userRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'users/$id',
  validateSearch: v.object({
    tab: v.optional(v.fallback(v.picklist(userTabs), 'doors')),
    /** Open entry of the timeline. */
    entry: v.optional(v.string()),
  }),
  component: lazyRouteComponent(() => import('./user-page.tsx'), 'UserPage'),
});

export const usersRoutes = [usersRoute, deletedUsersRoute, userRoute] as const;
