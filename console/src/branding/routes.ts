import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../navigation/index.ts';

export const brandingRoutes = [
  createRoute({
    getParentRoute: () => tenantRoute,
    path: 'branding',
    component: lazyRouteComponent(() => import('./branding-page.tsx'), 'BrandingPage'),
  }),
] as const;
