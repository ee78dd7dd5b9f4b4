import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as v from 'valibot';
import { tenantRoute } from '../navigation/index.ts';
import { tenantTabs } from './tenant-tabs.ts';

export const tenantRoutes = [
  createRoute({
    getParentRoute: () => tenantRoute,
    path: 'tenant',
    validateSearch: v.object({
      tab: v.optional(v.fallback(v.optional(v.picklist(tenantTabs)), undefined)),
    }),
    component: lazyRouteComponent(() => import('./tenant-page.tsx'), 'TenantPage'),
  }),
] as const;
