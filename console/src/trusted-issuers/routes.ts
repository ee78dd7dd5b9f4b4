import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../navigation/index.ts';

const trustedIssuersRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'trusted-issuers',
  component: lazyRouteComponent(() => import('./trusted-issuers-page.tsx'), 'TrustedIssuersPage'),
});

const trustedIssuerRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'trusted-issuers/$id',
  component: lazyRouteComponent(() => import('./trusted-issuer-page.tsx'), 'TrustedIssuerPage'),
});

export const trustedIssuersRoutes = [trustedIssuersRoute, trustedIssuerRoute] as const;
