import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as v from 'valibot';
import { tenantRoute } from '../navigation/index.ts';
import { applicationTabs } from './application-tabs.ts';
import { kinds } from './kinds.ts';

const optional = <T extends readonly string[]>(values: T) =>
  v.optional(v.fallback(v.optional(v.picklist(values)), undefined));

export const applicationsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'applications',
  validateSearch: v.object({
    /** Text of the search field. */
    q: v.optional(v.fallback(v.string(), '')),
    type: optional(['CONFIDENTIAL', 'PUBLIC'] as const),
    state: optional(['enabled', 'disabled'] as const),
    /** `mine`, `none`, `any`, or the id of a user or a group. */
    owner: v.optional(v.fallback(v.string(), '')),
    grant: v.optional(v.fallback(v.string(), '')),
    scope: v.optional(v.fallback(v.string(), '')),
  }),
  component: lazyRouteComponent(() => import('./applications-page.tsx'), 'ApplicationsPage'),
});

export const registerApplicationRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'applications/new',
  validateSearch: v.object({ kind: optional(kinds) }),
  component: lazyRouteComponent(() => import('./register/register-page.tsx'), 'RegisterPage'),
});

export const applicationRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'applications/$id',
  validateSearch: v.object({ tab: optional(applicationTabs) }),
  component: lazyRouteComponent(() => import('./application-page.tsx'), 'ApplicationPage'),
});

export const applicationsRoutes = [applicationsRoute, registerApplicationRoute, applicationRoute] as const;
