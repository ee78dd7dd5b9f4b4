/** Parts of the page of service accounts. */
export const serviceAccountTabs = ['accounts', 'keys'] as const;
