export const applicationTabs = ['registration', 'connect', 'people', 'history'] as const;
