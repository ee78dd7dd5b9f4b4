import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as v from 'valibot';
import { tenantRoute } from '../navigation/index.ts';
import { deliveryStates, receiverKinds } from './search.ts';

export const deliveriesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'deliveries',
  validateSearch: v.object({
    state: v.optional(v.fallback(v.picklist(deliveryStates), 'DEAD')),
    kind: v.optional(v.fallback(v.picklist(receiverKinds), 'WEBHOOK')),
    /** Id of a webhook or stream, or of a client with back-channel logout. */
    receiver: v.optional(v.fallback(v.string(), '')),
    /** Id of the affected user or group. */
    subject: v.optional(v.fallback(v.string(), '')),
    /** Id of the open delivery. */
    delivery: v.optional(v.fallback(v.string(), '')),
  }),
  component: lazyRouteComponent(() => import('./deliveries-page.tsx'), 'DeliveriesPage'),
});

export const deliveriesRoutes = [deliveriesRoute] as const;
