import { uuidOf } from '../../../platform/database/data/uuid-of.ts';

/** Returns the condition that a service account is enabled and in this epoch or an earlier one. @param id, epoch expressions */
export const accountLives = (id: string, epoch: string): string => `EXISTS (
  SELECT 1 FROM auth.service_accounts a
  WHERE a.tenant = $tenant AND a.disabled_at IS NULL AND a.epoch <= ${epoch} AND a.id = ${uuidOf(id)})`;

/** Returns the condition that an API token is live. @param id expression */
export const apiTokenLives = (id: string): string => `EXISTS (
  SELECT 1 FROM auth.api_tokens t
  WHERE t.tenant = $tenant AND t.id = ${uuidOf(id)} AND t.revoked_at IS NULL AND t.expires_at > now())`;

/** Revokes the personal access tokens of a user. */
export const endingPersonalTokens = `UPDATE auth.api_tokens SET revoked_at = now()
  WHERE tenant = $tenant AND subject_id = $subjectId AND revoked_at IS NULL`;

/** Counts the live API tokens of a tenant. */
export const countingApiTokens = (owner: 'subject_id' | 'service_account_id'): string =>
  `SELECT count(*)::int FROM auth.api_tokens
    WHERE tenant = $tenant AND ${owner} IS NOT NULL AND revoked_at IS NULL AND expires_at > now()`;

/** Counts the enabled service accounts of a tenant. */
export const countingAccounts =
  'SELECT count(*)::int FROM auth.service_accounts WHERE tenant = $tenant AND disabled_at IS NULL';
