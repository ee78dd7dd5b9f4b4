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
    /** Id of the created source. Its token is not in the address and is lost on reload. */
    source: v.optional(v.fallback(v.string(), '')),
  }),
  component: lazyRouteComponent(() => import('./new-source-page.tsx'), 'NewSourcePage'),
});

export const sourceRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'sources/$id',
  validateSearch: v.object({
    tab: v.optional(v.fallback(v.picklist(sourceTabs), 'requests')),
    /** Only failed requests. */
    failed: v.optional(v.fallback(v.literal('yes'), 'yes')),
    /** Id of the user in the preview of the attribute rule. */
    person: v.optional(v.fallback(v.string(), '')),
  }),
  component: lazyRouteComponent(() => import('./source-page.tsx'), 'SourcePage'),
});

export const sourcesRoutes = [sourcesRoute, newSourceRoute, sourceRoute] as const;
