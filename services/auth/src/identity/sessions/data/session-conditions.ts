import { clientAs, wantsLogouts } from '../../../clients/data/client-conditions.ts';

/** Returns the condition that a session has ended. OFFSET as for grants (grant-conditions.ts). @param id expression */
export const sessionEnded = (id: string): string =>
  `EXISTS (SELECT 1 FROM auth.sessions o WHERE o.tenant = $tenant AND o.id = ${id} AND o.revoked_at IS NOT NULL OFFSET 0)`;

/** Returns a statement that ends sessions. Sets their expiry, by which retention is measured. @param which condition */
export const endingSessions = (which: string): string =>
  `UPDATE auth.sessions SET revoked_at = now(), expires_at = LEAST(expires_at, now())
    WHERE ${which} AND revoked_at IS NULL`;

/** Returns a session `s` for a join. @param tenant, id expressions */
export const sessionAs = (tenant: string, id: string): string =>
  `auth.sessions s ON s.tenant = ${tenant} AND s.id = ${id}`;

/** Joins the clients `c` of the rows `held` that want a notification when a session ends. */
export const joiningNotifiedClients = `JOIN ${clientAs('$tenant', 'held.client_id')} AND ${wantsLogouts}`;
