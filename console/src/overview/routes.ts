import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as v from 'valibot';
import { tenantRoute } from '../navigation/index.ts';

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => tenantRoute,
    path: '/',
    validateSearch: v.object({
      /** Periods of the chart of sign-ins, default days. */
      signIns: v.optional(v.fallback(v.optional(v.literal('hours')), undefined)),
    }),
    component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
  }),
] as const;
