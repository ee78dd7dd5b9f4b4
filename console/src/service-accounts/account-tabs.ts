export const serviceAccountTabs = ['accounts', 'keys'] as const;
