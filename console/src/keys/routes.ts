import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../navigation/index.ts';

export const keysRoutes = [
  createRoute({
    getParentRoute: () => tenantRoute,
    path: 'keys',
    component: lazyRouteComponent(() => import('./keys-page.tsx'), 'KeysPage'),
  }),
] as const;
