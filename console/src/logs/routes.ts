import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../navigation/index.ts';
import { logSearch } from './log-search.ts';

export const logsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'logs',
  validateSearch: logSearch,
  component: lazyRouteComponent(() => import('./logs-page.tsx'), 'LogsPage'),
});

export const logsRoutes = [logsRoute] as const;
