/** Returns a double that has only the members that the test uses. */
export const double = <T extends object>(members: Partial<T>): T => members as T;
