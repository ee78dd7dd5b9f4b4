import type { JsonObject, JsonValue } from '@ostiary/scim';

/** One element of `Operations`, with `op` in lower case; the other members are not validated. */
export interface Operation {
  op: string;
  path?: string;
  value?: JsonValue;
}

/** Rewrites the members of an object without running a setter such as `__proto__`. */
export const mapMembers = (
  object: JsonObject,
  rewrite: (key: string, value: JsonValue) => readonly (readonly [string, JsonValue])[],
): JsonObject => Object.fromEntries(Object.entries(object).flatMap(([key, value]) => rewrite(key, value)));

/** Returns a member by its name, case-insensitively, as SCIM compares attribute names. */
export function member(object: JsonObject, name: string): JsonValue | undefined {
  const key = Object.keys(object).find((candidate) => candidate.toLowerCase() === name);
  return key === undefined ? undefined : object[key];
}
