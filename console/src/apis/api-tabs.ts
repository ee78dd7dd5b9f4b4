export const apiTabs = ['scopes', 'roles', 'claims', 'connect', 'verifiers'] as const;
