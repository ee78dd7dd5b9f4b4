import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../navigation/index.ts';

export const systemRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'system',
  component: lazyRouteComponent(() => import('./system-page.tsx'), 'SystemPage'),
});

export const systemRoutes = [systemRoute] as const;
