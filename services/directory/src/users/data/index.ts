export { countTwins, PostgresSharedUserNames, rekeyUserNames } from './user-names.ts';
export { usersWithGroups } from './users-with-groups.ts';
export { asTakenByUser } from './violations.ts';
export { VouchedEmailHolders } from './vouched-emails.ts';
