import type { JsonObject, JsonValue } from '@ostiary/scim';

/** One element of `Operations` as it came in, with `op` in lower case; everything else is still unchecked. */
export interface Operation {
  op: string;
  path?: string;
  value?: JsonValue;
}

/** Rewrites the members of an object without ever running a setter such as `__proto__`. */
export const mapMembers = (
  object: JsonObject,
  rewrite: (key: string, value: JsonValue) => readonly (readonly [string, JsonValue])[],
): JsonObject => Object.fromEntries(Object.entries(object).flatMap(([key, value]) => rewrite(key, value)));

/** Looks a member up the way SCIM names attributes: without regard to case. */
export function member(object: JsonObject, name: string): JsonValue | undefined {
  const key = Object.keys(object).find((candidate) => candidate.toLowerCase() === name);
  return key === undefined ? undefined : object[key];
}
