import { createRootRoute, createRoute, Outlet } from '@tanstack/react-router';

export const rootRoute = createRootRoute({ component: Outlet });

/** Everything of one tenant: `/console/t/{tenant}/…`, as its issuer has it. What surrounds it is the frame's. */
export const tenantRoute = createRoute({ getParentRoute: () => rootRoute, path: 't/$tenant' });
