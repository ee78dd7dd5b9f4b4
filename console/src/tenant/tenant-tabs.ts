/** Parts of the tenant's page. */
export const tenantTabs = ['policy', 'tenant', 'signIn'] as const;
