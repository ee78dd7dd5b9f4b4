import { grantLives } from './grant-conditions.ts';

/**
 * Returns the condition that a delegation did not end. Its grant, user and agent are checked separately. OFFSET as for
 * grants. @param id expression
 */
export const delegationLives = (id: string): string =>
  `EXISTS (SELECT 1 FROM auth.delegations d WHERE d.tenant = $tenant AND d.id = ${id} AND d.ended_at IS NULL OFFSET 0)`;

/** Returns a statement that ends delegations. An ended delegation stays ended for its grant. @param which condition */
export const endingDelegations = (which: string): string =>
  `UPDATE auth.delegations SET ended_at = now() WHERE ${which} AND ended_at IS NULL`;

/** Active delegations of a user, with agent, scopes and time. */
export const delegationsOfUser = `SELECT d.client_id, d.scopes, d.created_at, true FROM auth.delegations d
   WHERE d.tenant = $tenant AND d.subject_id = $subjectId AND d.ended_at IS NULL AND ${grantLives('d.grant_id')}`;
