export const applicationTabs = ['registration', 'claims', 'connect', 'people', 'history'] as const;
