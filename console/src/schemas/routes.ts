import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from '../navigation/index.ts';

const schemaListRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'schemas',
  component: lazyRouteComponent(() => import('./schemas-page.tsx'), 'SchemasPage'),
});

const schemaRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'schemas/$id',
  component: lazyRouteComponent(() => import('./schema-page.tsx'), 'SchemaPage'),
});

export const schemasRoutes = [schemaListRoute, schemaRoute] as const;
