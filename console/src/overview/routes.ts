import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../navigation/index.ts';

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => tenantRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
  }),
] as const;
