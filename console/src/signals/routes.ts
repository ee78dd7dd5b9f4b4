import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../navigation/index.ts';

export const signalsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'signals',
  component: lazyRouteComponent(() => import('./signals-page.tsx'), 'SignalsPage'),
});

export const signalRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'signals/$id',
  component: lazyRouteComponent(() => import('./signal-page.tsx'), 'SignalPage'),
});

export const signalsRoutes = [signalsRoute, signalRoute] as const;
