import {
  countedPageById,
  isPlatform,
  notFound,
  type PagingArguments,
  requirePrincipal,
} from '@ostiary/graph';
import { actorOf } from '../../audit/graph/actor.ts';
import { statisticsOfTenant } from '../../statistics/graph/statistics.ts';
import type { Tenant, TenantFilter } from '../domain/tenant.ts';
import type { UpdateTenant } from '../domain/tenants.ts';
import type { TenantContext, TenantResolvers, TenantServices } from './loaders.ts';

interface Input<T> {
  input: T;
}

interface UpdateInput {
  id?: string | null;
  version?: number | null;
  name?: string | null;
  deletionPolicy?: 'HARD' | 'SOFT' | null;
  auditRetentionDays?: number | null;
}

interface ListInput extends PagingArguments {
  filter?: { status?: 'ACTIVE' | 'SUSPENDED' | null; text?: string | null } | null;
}

/** Returns the requested tenant: the caller's own, or any one for the platform itself. Others count as missing. */
export function meantTenant(id: string | null | undefined, context: TenantContext): string | undefined {
  if (id === null || id === undefined) return context.tenant;
  return id === context.tenant || isPlatform(requirePrincipal(context)) ? id : undefined;
}

export const tenantQueries = (services: TenantServices): TenantResolvers => ({
  tenant: async (_root, { id }: { id?: string | null }, context) => {
    const tenant = meantTenant(id, context);
    return tenant === undefined ? null : services.tenants.find(tenant);
  },

  tenants: (_root, input: ListInput) => {
    const { status, text } = input.filter ?? {};
    const filter: TenantFilter = {
      ...(status && { status: status === 'ACTIVE' ? 'active' : 'suspended' }),
      ...(text && { text: text.replaceAll('\u0000', '') }),
    };
    return countedPageById(input, {
      kind: 'tenants',
      rows: (page) => services.tenants.page(filter, page),
      total: () => services.tenants.count(filter),
      isId: isTenant,
    });
  },
});

const isTenant = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z0-9-]{1,63}$/.test(value);

export function tenantMutations(services: TenantServices): TenantResolvers {
  const update = async (
    context: TenantContext,
    id: string | null | undefined,
    change: Omit<UpdateTenant, 'id' | 'actor'>,
  ) => {
    const tenant = meantTenant(id, context);
    if (tenant === undefined) throw notFound('The tenant');
    const actor = actorOf(requirePrincipal(context));
    return { tenant: await services.tenants.update({ id: tenant, actor, ...change }) };
  };
  const setStatus =
    (status: 'active' | 'suspended') =>
    (
      _root: unknown,
      { input: { id, version } }: Input<{ id: string; version?: number | null }>,
      context: TenantContext,
    ) =>
      update(context, id, { status, ...(typeof version === 'number' && { version }) });
  return {
    createTenant: async (_root, { input }: Input<{ id: string; name: string }>, context) => {
      const actor = actorOf(requirePrincipal(context));
      return { tenant: await services.tenants.create({ ...input, actor }) };
    },

    updateTenant: (_root, { input }: Input<UpdateInput>, context) => {
      const { id, version, name, deletionPolicy, auditRetentionDays } = input;
      return update(context, id, {
        ...(typeof version === 'number' && { version }),
        ...(typeof name === 'string' && { name }),
        ...(deletionPolicy && { deletionPolicy: deletionPolicy === 'SOFT' ? 'soft' : 'hard' }),
        ...(auditRetentionDays !== undefined && { auditRetentionDays }),
      });
    },

    suspendTenant: setStatus('suspended'),
    resumeTenant: setStatus('active'),
  };
}

export const tenantResolvers = (services: TenantServices) => ({
  __resolveReference: ({ id }: { id: string }, context: TenantContext) => {
    const tenant = meantTenant(id, context);
    return tenant === undefined ? null : services.tenants.find(tenant);
  },
  status: (tenant: Tenant) => tenant.status.toUpperCase(),
  deletionPolicy: (tenant: Tenant) => tenant.deletionPolicy.toUpperCase(),
  statistics: statisticsOfTenant,
});
