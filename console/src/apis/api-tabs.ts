export const apiTabs = ['scopes', 'roles', 'claims', 'connect'] as const;
