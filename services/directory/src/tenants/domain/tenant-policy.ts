import {
  type Actor,
  InvalidPolicySetting,
  readTenantPolicy,
  type TenantPolicy,
  type TenantPolicySettings,
  tenantPolicyNames,
  tenantPolicyOf,
  type VersionedTenantPolicy,
} from '@ostiary/events';
import { ScimError } from '@ostiary/scim';
import { auditContext, type ChangeRecorder, type Changes } from '../../audit/index.ts';
import { InvalidAttribute, VersionMismatch } from '../../errors/index.ts';
import type { ChangeOfTenant, SettingsTables, Tenant } from './tenant.ts';

/** A setting of null restores the installation's default; an omitted one stays. */
export type PolicyChange = { [Name in keyof TenantPolicy]?: TenantPolicy[Name] | null };

export interface UpdateTenantPolicy {
  id: string;
  /** Expected version of the policy, if any. */
  version?: number;
  change: PolicyChange;
  actor: Actor;
}

/** The effective policy of a tenant: its own settings, and the installation's defaults for the rest. */
export interface PolicyInForce extends TenantPolicy {
  version: number;
  updatedAt: Date | null;
}

/** Returns a tenant's policy for its events. */
export const emittedPolicy = ({ policy: { version, settings } }: Tenant): VersionedTenantPolicy => ({
  version,
  settings,
});

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The tenants' own settings. */
export class TenantPolicies {
  readonly #change: ChangeOfTenant;
  readonly #clock: () => number;
  readonly #defaults: TenantPolicySettings;

  constructor(change: ChangeOfTenant, clock: () => number, defaults: TenantPolicySettings) {
    this.#change = change;
    this.#clock = clock;
    this.#defaults = defaults;
  }

  /** Returns the effective policy of the tenant. */
  inForce({ policy }: Tenant): PolicyInForce {
    return {
      ...tenantPolicyOf(policy.settings, this.#defaults),
      version: policy.version,
      updatedAt: policy.updatedAt,
    };
  }

  /**
   * Changes the policy and emits `tenant.updated`. @throws InvalidAttribute, VersionMismatch, ScimError 404
   */
  async update({ id, version, change, actor }: UpdateTenantPolicy): Promise<Tenant> {
    const given = givenSettings(change);
    return this.#change(id, async (tables) => {
      const before = await tables.settings.lock();
      if (!before) throw ScimError.notFound('There is no such tenant.');
      if (version !== undefined && version !== before.policy.version) {
        throw new VersionMismatch(before.policy.version);
      }
      const settings = merged(before.policy.settings, given);
      if (same(settings, before.policy.settings)) return before;
      await mustHaveRecipient(tables, tenantPolicyOf(settings, this.#defaults));
      const now = new Date(this.#clock());
      const after: Tenant = {
        ...before,
        policy: { settings, version: before.policy.version + 1, updatedAt: now },
        version: before.version + 1,
        updatedAt: now,
      };
      await tables.settings.updatePolicy(after);
      this.#record(tables, before, after, actor);
      return after;
    });
  }

  #record(recorder: ChangeRecorder, before: Tenant, after: Tenant, actor: Actor): void {
    const { id, name, status, version } = after;
    recorder.record(
      {
        occurredAt: after.updatedAt,
        actor,
        action: 'tenant.policy_updated',
        resourceType: 'Tenant',
        resourceId: id,
        resourceVersion: version,
        changes: changesBetween(this.inForce(before), this.inForce(after)),
        ...auditContext(),
      },
      {
        tenant: id,
        type: 'tenant.updated',
        subject: id,
        version,
        actor,
        payload: { id, name, status, policy: emittedPolicy(after) },
      },
    );
  }
}

/** @throws InvalidAttribute */
function givenSettings(change: PolicyChange): PolicyChange {
  const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== null));
  try {
    return { ...change, ...readTenantPolicy(set) };
  } catch (error) {
    if (error instanceof InvalidPolicySetting) throw new InvalidAttribute(error.message, error.setting);
    throw error;
  }
}

/** Settings that this release does not know are kept. */
const merged = (before: TenantPolicySettings, change: PolicyChange): TenantPolicySettings =>
  Object.fromEntries(
    Object.entries({ ...before, ...change }).filter(([, value]) => value !== null && value !== undefined),
  );

const changesBetween = (before: TenantPolicy, after: TenantPolicy): Changes =>
  Object.fromEntries(
    tenantPolicyNames
      .filter((name) => !same(before[name], after[name]))
      .map((name) => [name, { before: before[name], after: after[name] }]),
  );

/** Checks that the recipient of transferred credentials is a group or an active user of the tenant. */
async function mustHaveRecipient(tables: SettingsTables, policy: TenantPolicy): Promise<void> {
  const { ownedCredentialsOnOffboarding, handOverCredentialsTo: recipient } = policy;
  if (recipient === null) {
    if (ownedCredentialsOnOffboarding !== 'handOver') return;
    throw new InvalidAttribute(
      'Transferring credentials requires "handOverCredentialsTo": an active user or a group.',
      'handOverCredentialsTo',
    );
  }
  const user = await tables.users.find(recipient);
  if (user ? user.data.active !== false : await tables.groups.find(recipient)) return;
  throw new InvalidAttribute(
    '"handOverCredentialsTo" must name an active user or a group of the tenant.',
    'handOverCredentialsTo',
  );
}
