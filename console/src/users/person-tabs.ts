export const personTabs = ['doors', 'profile', 'timeline', 'signIns', 'departures'] as const;
export type PersonTab = (typeof personTabs)[number];
