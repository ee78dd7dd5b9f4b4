import { isJsonObject, type JsonObject, type JsonValue, ScimError } from '@ostiary/scim';
import { type Operation, schemaUrns } from '../../compatibility/index.ts';

/** Maximum length of a password in characters, which bounds the time of hashing. */
const longest = 1024;

const userSchema = `${schemaUrns.user}:`;

/**
 * Removes the password from a User, in all spellings of its name. The rest of the resource contains no secret, so it
 * may be sent, stored and queued.
 *
 * Okta sends it with the creation: `{"userName": "…", "password": "…", "groups": []}`
 *
 * @throws ScimError invalidValue for a value other than a text of acceptable length
 */
export function takePassword(resource: JsonObject): { rest: JsonObject; password: string | undefined } {
  let password: string | undefined;
  const kept = Object.entries(resource).flatMap(([key, value]): [string, JsonValue][] => {
    if (isPasswordName(key)) {
      password = checked(value) ?? password;
      return [];
    }
    if (key.toLowerCase() === schemaUrns.user && isJsonObject(value)) {
      const inner = takePassword(value);
      password = inner.password ?? password;
      const emptied = inner.password !== undefined && Object.keys(inner.rest).length === 0;
      return emptied ? [] : [[key, inner.rest]];
    }
    return [[key, value]];
  });
  return { rest: Object.fromEntries(kept), password };
}

/**
 * Removes the password from a PATCH. The last one counts; operations without remaining content are dropped.
 *
 * `{"op": "replace", "path": "password", "value": "…"}`
 *
 * `{"op": "replace", "path": "urn:ietf:params:scim:schemas:core:2.0:User:password", "value": "…"}`
 *
 * `{"op": "replace", "value": {"password": "…", "active": true}}`
 *
 * @throws ScimError mutability for its removal, invalidPath for a path into it, invalidValue for an invalid one
 */
export function takePasswordFromOperations(operations: readonly Operation[]): {
  rest: Operation[];
  password: string | undefined;
} {
  let password: string | undefined;
  const rest = operations.flatMap((operation): Operation[] => {
    const { op, path, value } = operation;
    const target = path === undefined ? undefined : nameIn(path);
    if (target === 'password') {
      if (op === 'remove') throw ScimError.mutability('A password can be replaced, not removed.');
      password = checked(value) ?? password;
      return [];
    }
    if (target !== undefined && /^password\b/.test(target)) {
      throw ScimError.invalidPath('A path cannot select a part of a password.');
    }
    const container = path === undefined || target === schemaUrns.user;
    if (!container || !isJsonObject(value)) return [operation];
    const taken = takePassword(value);
    if (taken.password === undefined) return [{ ...operation, value: taken.rest }];
    password = taken.password;
    return Object.keys(taken.rest).length > 0 ? [{ ...operation, value: taken.rest }] : [];
  });
  return { rest, password };
}

const nameIn = (path: string): string => {
  const lower = path.trim().toLowerCase();
  return lower.startsWith(userSchema) ? lower.slice(userSchema.length) : lower;
};

const isPasswordName = (key: string): boolean => nameIn(key) === 'password';

/** In SCIM, null means absent. */
function checked(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'string' || value === '' || value.length > longest) {
    throw ScimError.invalidValue(`"password" must be a string of 1 to ${longest} characters.`);
  }
  return value;
}
