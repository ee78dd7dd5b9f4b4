/** Returns the condition that a tenant is suspended. @param tenant expression */
export const suspended = (tenant: string): string =>
  `EXISTS (SELECT 1 FROM auth.tenants n WHERE n.id = ${tenant} AND n.status = 'suspended')`;

/** Returns an active tenant for a join. @param id expression */
export const activeTenantAs = (id: string): string =>
  `auth.tenants t ON t.id = ${id} AND t.status = 'active'`;

/** Locks an active tenant, so that it is not suspended before the transaction ends. */
export const holdingActiveTenant = `SELECT id FROM auth.tenants WHERE id = $tenant AND status = 'active' FOR SHARE`;

/** Relation of tenants with the number of days for which each retains sign-in attempts, if its policy sets one. */
export const signInRetention = `(SELECT id, (policy ->> 'signInRetentionDays')::int AS days FROM auth.tenants)`;
