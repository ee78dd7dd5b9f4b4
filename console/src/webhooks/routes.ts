import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as v from 'valibot';
import { tenantRoute } from '../navigation/index.ts';

export const webhooksRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'webhooks',
  validateSearch: v.object({
    /** Whether the dialog for a new webhook is open. */
    add: v.optional(v.fallback(v.literal('yes'), 'yes')),
  }),
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
});

export const webhookRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'webhooks/$id',
  component: lazyRouteComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
});

export const webhooksRoutes = [webhooksRoute, webhookRoute] as const;
