import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as v from 'valibot';
import { tenantRoute } from '../navigation/index.ts';
import { serviceAccountTabs } from './account-tabs.ts';

const optional = <T extends readonly string[]>(values: T) =>
  v.optional(v.fallback(v.optional(v.picklist(values)), undefined));

const serviceAccountsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'service-accounts',
  validateSearch: v.object({
    tab: optional(serviceAccountTabs),
    /** `mine`, `none`, or the id of a user or a group. */
    owner: v.optional(v.fallback(v.string(), '')),
    /** Filter of the API keys. */
    keys: optional(['expiring', 'unused', 'ownerless'] as const),
  }),
  component: lazyRouteComponent(() => import('./service-accounts-page.tsx'), 'ServiceAccountsPage'),
});

const serviceAccountRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'service-accounts/$id',
  component: lazyRouteComponent(() => import('./service-account-page.tsx'), 'ServiceAccountPage'),
});

export const serviceAccountsRoutes = [serviceAccountsRoute, serviceAccountRoute] as const;
