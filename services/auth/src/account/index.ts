export { type Account, createAccount } from './domain/account.ts';
