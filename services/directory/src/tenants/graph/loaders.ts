import type { GraphContext, Resolver } from '@ostiary/graph';
import type { StatisticsLoaders } from '../../statistics/graph/index.ts';
import type { TenantPolicies } from '../domain/tenant-policy.ts';
import type { TenantRegistry } from '../domain/tenants.ts';

export type TenantLoaders = StatisticsLoaders;

export type TenantContext = GraphContext<TenantLoaders>;

/** Resolvers of a type's fields. */
export type TenantResolvers = Record<string, Resolver<TenantLoaders>>;

/** What the graph needs to show and change tenants. */
export interface TenantServices {
  readonly tenants: TenantRegistry;
  /** What tenants set for themselves. */
  readonly policies: TenantPolicies;
}
