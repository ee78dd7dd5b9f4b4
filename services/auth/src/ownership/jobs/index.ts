export { catchUpOnGroupOwners } from './group-owners.ts';
