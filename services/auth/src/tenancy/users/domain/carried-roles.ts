/**
 * Roles of a user that apply after the use of a sign-in method: those that the caller who set it could assign at that
 * time. Null: every role, because the caller could assign each, or the user set it.
 */
export type CarriedRoles = readonly string[] | null;

/** Returns the roles that every one of several sign-in methods carries. */
export const carriedByAll = (ways: readonly CarriedRoles[]): CarriedRoles =>
  ways.reduce<CarriedRoles>(
    (all, carried) =>
      all === null || carried === null ? (all ?? carried) : all.filter((role) => carried.includes(role)),
    null,
  );
