import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as v from 'valibot';
import { tenantRoute } from '../navigation/index.ts';
import { sourceKinds, sourceTabs } from './search.ts';

export const sourcesRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'sources',
  component: lazyRouteComponent(() => import('./sources-page.tsx'), 'SourcesPage'),
});

export const newSourceRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'sources/new',
  validateSearch: v.object({
    kind: v.optional(v.fallback(v.picklist(sourceKinds), 'scim')),
    /** The source, once it was made. Its token isn't in the address, and gone when the page is. */
    source: v.optional(v.fallback(v.string(), '')),
  }),
  component: lazyRouteComponent(() => import('./new-source-page.tsx'), 'NewSourcePage'),
});

export const sourceRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'sources/$id',
  validateSearch: v.object({
    tab: v.optional(v.fallback(v.picklist(sourceTabs), 'requests')),
    /** Only requests that failed. */
    failed: v.optional(v.fallback(v.literal('yes'), 'yes')),
    /** Whom the attribute rule is shown for. */
    person: v.optional(v.fallback(v.string(), '')),
  }),
  component: lazyRouteComponent(() => import('./source-page.tsx'), 'SourcePage'),
});

export const sourcesRoutes = [sourcesRoute, newSourceRoute, sourceRoute] as const;
