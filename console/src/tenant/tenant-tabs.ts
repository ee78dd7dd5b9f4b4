export const tenantTabs = ['policy', 'tenant', 'signIn'] as const;
