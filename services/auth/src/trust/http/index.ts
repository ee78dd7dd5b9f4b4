export { assertingAccount, assertionGrants } from './assertion-grants.ts';
