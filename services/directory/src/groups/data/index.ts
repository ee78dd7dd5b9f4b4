export { GroupNames, rekeyGroupNames } from './group-names.ts';
export { Memberships } from './memberships.ts';
export { asGroupError } from './violations.ts';
