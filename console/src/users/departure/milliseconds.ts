/** Returns the milliseconds between two times; 0 if clock skew makes them negative. */
export const millisecondsBetween = (from: string, to: string): number =>
  Math.max(0, Date.parse(to) - Date.parse(from));
