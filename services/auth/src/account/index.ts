export { Account } from './domain/account.ts';
