/**
 * Returns a set that code cannot change by accident: requests with the same token share it, and `Object.freeze` does
 * not apply to the values of a set.
 */
export function unchangeableSet<T>(values: Iterable<T>): ReadonlySet<T> {
  const reject = (): never => {
    throw new TypeError('The set cannot be changed.');
  };
  const value = reject;
  return Object.freeze(
    Object.defineProperties(new Set(values), { add: { value }, delete: { value }, clear: { value } }),
  );
}

/** Freezes an object of JSON, with everything in it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const one of Object.values(value)) deepFreeze(one);
  return Object.freeze(value);
}
