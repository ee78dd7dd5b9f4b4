import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as v from 'valibot';
import { tenantRoute } from '../navigation/index.ts';
import { groupTabs } from './group-tabs.ts';

const text = v.optional(v.fallback(v.string(), ''));

export const groupsRoutes = [
  createRoute({
    getParentRoute: () => tenantRoute,
    path: 'groups',
    validateSearch: v.object({
      /** Text of the search field. */
      q: text,
      order: v.optional(v.fallback(v.picklist(['displayName', '-createdAt', '-updatedAt']), 'displayName')),
      /** Only groups whose name is not unique. */
      shared: v.optional(v.fallback(v.literal('yes'), 'yes')),
    }),
    component: lazyRouteComponent(() => import('./groups-page.tsx'), 'GroupsPage'),
  }),
  createRoute({
    getParentRoute: () => tenantRoute,
    path: 'groups/deleted',
    component: lazyRouteComponent(() => import('./deleted-groups-page.tsx'), 'DeletedGroupsPage'),
  }),
  createRoute({
    getParentRoute: () => tenantRoute,
    path: 'groups/$id',
    validateSearch: v.object({ tab: v.optional(v.fallback(v.picklist(groupTabs), 'members')) }),
    component: lazyRouteComponent(() => import('./group-page.tsx'), 'GroupPage'),
  }),
] as const;
