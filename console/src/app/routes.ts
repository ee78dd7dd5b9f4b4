import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { apisRoutes } from '../apis/routes.ts';
import { applicationsRoutes } from '../applications/routes.ts';
import { brandingRoutes } from '../branding/routes.ts';
import { deliveriesRoutes } from '../deliveries/routes.ts';
import { groupsRoutes } from '../groups/routes.ts';
import { initialAccessTokensRoutes } from '../initial-access-tokens/routes.ts';
import { keysRoutes } from '../keys/routes.ts';
import { logsRoutes } from '../logs/routes.ts';
import { rootRoute, tenantRoute } from '../navigation/index.ts';
import { overviewRoutes } from '../overview/routes.ts';
import { rolesRoutes } from '../roles/routes.ts';
import { schemasRoutes } from '../schemas/routes.ts';
import { serviceAccountsRoutes } from '../service-accounts/routes.ts';
import { base } from '../session/index.ts';
import { signalsRoutes } from '../signals/routes.ts';
import { sourcesRoutes } from '../sources/routes.ts';
import { systemRoutes } from '../system/routes.ts';
import { tenantRoutes } from '../tenant/routes.ts';
import { trustedIssuersRoutes } from '../trusted-issuers/routes.ts';
import { usersRoutes } from '../users/routes.ts';
import { webhooksRoutes } from '../webhooks/routes.ts';

const chooserRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./tenant-chooser.tsx'), 'TenantChooser'),
});

tenantRoute.update({ component: lazyRouteComponent(() => import('./tenant-layout.tsx'), 'TenantLayout') });

const routeTree = rootRoute.addChildren([
  chooserRoute,
  tenantRoute.addChildren([
    ...overviewRoutes,
    ...usersRoutes,
    ...groupsRoutes,
    ...rolesRoutes,
    ...sourcesRoutes,
    ...applicationsRoutes,
    ...apisRoutes,
    ...signalsRoutes,
    ...webhooksRoutes,
    ...deliveriesRoutes,
    ...serviceAccountsRoutes,
    ...logsRoutes,
    ...trustedIssuersRoutes,
    ...initialAccessTokensRoutes,
    ...schemasRoutes,
    ...keysRoutes,
    ...systemRoutes,
    ...tenantRoutes,
    ...brandingRoutes,
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: base,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultNotFoundComponent: lazyRouteComponent(() => import('./not-found.tsx'), 'NotFound'),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
