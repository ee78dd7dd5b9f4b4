import type { TenantPolicy } from '@ostiary/events';
import { notFound, requirePrincipal } from '@ostiary/graph';
import { actorOf } from '../../audit/graph/actor.ts';
import type { Tenant } from '../domain/tenant.ts';
import type { PolicyChange } from '../domain/tenant-policy.ts';
import type { TenantResolvers, TenantServices } from './loaders.ts';
import { meantTenant } from './tenants.ts';

/** The graph's enum values, with the values of the policy. */
const enumValues = {
  ownedCredentialsOnOffboarding: { REVOKE: 'revoke', SUSPEND: 'suspend', HAND_OVER: 'handOver' },
  requiredClientProfile: { STANDARD: 'standard', FAPI2: 'fapi2' },
} as const;

type EnumSetting = keyof typeof enumValues;
const enumSettings = Object.keys(enumValues) as EnumSetting[];

type Given = { [Name in keyof TenantPolicy]?: unknown };

interface UpdateInput extends Given {
  id?: string | null;
  version?: number | null;
}

function changeOf(given: Given): PolicyChange {
  const change: Record<string, unknown> = { ...given };
  for (const name of enumSettings) {
    const value = change[name];
    if (typeof value === 'string') change[name] = (enumValues[name] as Record<string, string>)[value];
  }
  return change as PolicyChange;
}

const shown = (name: EnumSetting, value: string): string | undefined =>
  Object.entries(enumValues[name]).find(([, stored]) => stored === value)?.[0];

const presented = (services: TenantServices, tenant: Tenant) => {
  const policy = services.policies.inForce(tenant);
  const enums = enumSettings.map((name) => [name, shown(name, policy[name])]);
  return { ...policy, ...Object.fromEntries(enums) };
};

export const policyQueries = (services: TenantServices): TenantResolvers => ({
  tenantPolicy: async (_root, { id: given }: { id?: string | null }, context) => {
    const id = meantTenant(given, context);
    const found = id === undefined ? undefined : await services.tenants.find(id);
    return found ? presented(services, found) : null;
  },
});

export const policyMutations = (services: TenantServices): TenantResolvers => ({
  updateTenantPolicy: async (_root, { input }: { input: UpdateInput }, context) => {
    const { id: named, version, ...given } = input;
    const id = meantTenant(named, context);
    if (id === undefined) throw notFound('The tenant');
    const changed = await services.policies.update({
      id,
      ...(typeof version === 'number' && { version }),
      change: changeOf(given),
      actor: actorOf(requirePrincipal(context)),
    });
    const tenantPolicy = presented(services, changed);
    return { tenantPolicy, policy: tenantPolicy };
  },
});
