/**
 * Roles of a user that count after the use of a way in: those that the caller who set it could give at that time. Null: every role,
 * because the caller could give each, or the user set it in person.
 */
export type CarriedRoles = readonly string[] | null;

/** Returns the roles that count after the use of several ways in together: those that each carries. */
export const carriedByAll = (ways: readonly CarriedRoles[]): CarriedRoles =>
  ways.reduce<CarriedRoles>(
    (all, carried) =>
      all === null || carried === null ? (all ?? carried) : all.filter((role) => carried.includes(role)),
    null,
  );
