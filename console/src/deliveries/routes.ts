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
    /** Id of a webhook or stream, or of an app that is told of sign-outs. */
    receiver: v.optional(v.fallback(v.string(), '')),
    /** Id of the person or group it is about. */
    subject: v.optional(v.fallback(v.string(), '')),
    /** The one that is open. */
    delivery: v.optional(v.fallback(v.string(), '')),
  }),
  component: lazyRouteComponent(() => import('./deliveries-page.tsx'), 'DeliveriesPage'),
});

export const deliveriesRoutes = [deliveriesRoute] as const;
