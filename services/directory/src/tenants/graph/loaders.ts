import type { GraphContext, Resolver } from '@ostiary/graph';
import type { StatisticsLoaders } from '../../statistics/graph/loaders.ts';
import type { TenantPolicies } from '../domain/tenant-policy.ts';
import type { TenantRegistry } from '../domain/tenants.ts';

export type TenantLoaders = StatisticsLoaders;

export type TenantContext = GraphContext<TenantLoaders>;

export type TenantResolvers = Record<string, Resolver<TenantLoaders>>;

/** The operations on tenants that the graph needs. */
export interface TenantServices {
  readonly tenants: TenantRegistry;
  /** The tenants' own settings. */
  readonly policies: TenantPolicies;
}
