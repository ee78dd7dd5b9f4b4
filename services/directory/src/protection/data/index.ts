export { PostgresProtectedAccounts } from './protected-accounts.ts';
