export { otherGrants, otherSessions } from './account.ts';
