import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as v from 'valibot';
import { tenantRoute } from '../navigation/index.ts';
import { apiTabs } from './api-tabs.ts';

export const apisRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'apis',
  component: lazyRouteComponent(() => import('./apis-page.tsx'), 'ApisPage'),
});

export const apiRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'apis/$id',
  validateSearch: v.object({
    tab: v.optional(v.fallback(v.optional(v.picklist(apiTabs)), undefined)),
    /** Role whose holders are shown. */
    role: v.optional(v.fallback(v.optional(v.string()), undefined)),
  }),
  component: lazyRouteComponent(() => import('./api-page.tsx'), 'ApiPage'),
});

export const apisRoutes = [apisRoute, apiRoute] as const;
