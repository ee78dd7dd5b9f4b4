/** Returns a user for a join. @param tenant, id expressions */
export const subjectAs = (alias: string, tenant: string, id: string): string =>
  `auth.subjects ${alias} ON ${alias}.tenant = ${tenant} AND ${alias}.id = ${id}`;

/** Returns the beginning of a query of a user: FROM and conditions. @param which comparison of the id */
export const fromSubject = (alias: string, tenant: string, which: string): string =>
  `FROM auth.subjects ${alias} WHERE ${alias}.tenant = ${tenant} AND ${alias}.id ${which}`;

/** Returns the condition that a user is neither offboarded nor deleted. */
export const isActive = (alias: string): string => `${alias}.active AND NOT ${alias}.deleted`;

/**
 * Increments the consent revocation counter of a user for a client. It is stored in the user's row, which a redemption
 * of a code locks: a code is either redeemed before, and its grant is found, or the redemption reads the new counter.
 */
export const countingWithdrawal = `UPDATE auth.subjects
    SET withdrawals = withdrawals || jsonb_build_object($clientId::text, COALESCE((withdrawals->>$clientId)::int, 0) + 1)
  WHERE tenant = $tenant AND id = $id`;

/** Locks an active user, in the given epoch if there is one, against an offboarding. */
export const holdingActiveSubject = `SELECT epoch FROM auth.subjects WHERE tenant = $tenant AND id = $subjectId
   AND active AND NOT deleted AND epoch = COALESCE($subjectEpoch::int, epoch) FOR SHARE`;
