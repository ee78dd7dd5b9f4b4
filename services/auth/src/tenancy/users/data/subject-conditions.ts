/** Returns a user for a join. @param tenant, id expressions */
export const subjectAs = (alias: string, tenant: string, id: string): string =>
  `auth.subjects ${alias} ON ${alias}.tenant = ${tenant} AND ${alias}.id = ${id}`;

/** Returns the beginning of a query of a user: FROM and conditions. @param which comparison of the id */
export const fromSubject = (alias: string, tenant: string, which: string): string =>
  `FROM auth.subjects ${alias} WHERE ${alias}.tenant = ${tenant} AND ${alias}.id ${which}`;

/** Returns the condition that a user is neither offboarded nor deleted. */
export const isActive = (alias: string): string => `${alias}.active AND NOT ${alias}.deleted`;

/** Locks an active user, in the given epoch if there is one, against an offboarding. */
export const holdingActiveSubject = `SELECT epoch FROM auth.subjects WHERE tenant = $tenant AND id = $subjectId
   AND active AND NOT deleted AND epoch = COALESCE($subjectEpoch::int, epoch) FOR SHARE`;
