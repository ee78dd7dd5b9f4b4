import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as v from 'valibot';
import { tenantRoute } from '../navigation/index.ts';

export const rolesRoutes = [
  createRoute({
    getParentRoute: () => tenantRoute,
    path: 'roles',
    validateSearch: v.object({
      role: v.optional(v.fallback(v.picklist(['TENANT_ADMIN', 'HELP_DESK', 'AUDITOR']), 'TENANT_ADMIN')),
    }),
    component: lazyRouteComponent(() => import('./roles-page.tsx'), 'RolesPage'),
  }),
] as const;
