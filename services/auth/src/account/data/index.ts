export { allowedApps, otherGrants, otherSessions, strengthenSession } from './account.ts';
