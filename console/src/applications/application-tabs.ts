/** Parts of an application's page. */
export const applicationTabs = ['registration', 'connect', 'people', 'history'] as const;
