import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../navigation/index.ts';

export const initialAccessTokensRoutes = [
  createRoute({
    getParentRoute: () => tenantRoute,
    path: 'initial-access-tokens',
    component: lazyRouteComponent(
      () => import('./initial-access-tokens-page.tsx'),
      'InitialAccessTokensPage',
    ),
  }),
] as const;
