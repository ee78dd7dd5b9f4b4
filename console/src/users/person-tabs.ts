export const userTabs = ['doors', 'profile', 'timeline', 'signIns', 'departures'] as const;
export type UserTab = (typeof userTabs)[number];
