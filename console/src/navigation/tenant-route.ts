import { createRootRoute, createRoute, Outlet } from '@tanstack/react-router';

export const rootRoute = createRootRoute({ component: Outlet });

/**
 * Parent route of all pages of one tenant: `/console/t/{tenant}/…`, the same path as its issuer. `app` supplies the
 * frame.
 */
export const tenantRoute = createRoute({ getParentRoute: () => rootRoute, path: 't/$tenant' });
