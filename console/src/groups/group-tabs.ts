export const groupTabs = ['members', 'roles', 'profile'] as const;
export type GroupTab = (typeof groupTabs)[number];
