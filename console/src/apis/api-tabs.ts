export const apiTabs = ['scopes', 'roles', 'connect'] as const;
