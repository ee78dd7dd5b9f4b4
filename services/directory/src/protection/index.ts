export type { ProtectedAccounts, ProtectedAccountsCheck } from './domain/protected-accounts.ts';
export {
  mustNotTouch,
  mustNotTouchGroup,
  mustNotTouchMembers,
  type ProtectionTables,
} from './domain/protection.ts';
