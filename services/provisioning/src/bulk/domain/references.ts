import { isJsonObject, type JsonObject, type JsonValue } from '@ostiary/scim';

const prefix = 'bulkId:';
const inFilter = /"bulkId:([^"\\\s]+)"/g;

/** Members whose value is a reference: there, an undefined bulkId is an error and not a text. */
const referring: ReadonlySet<string> = new Set(['value', 'manager', '$ref']);

export interface References {
  /** bulkIds that operations of this Bulk define. */
  known: Set<string>;
  unknown: string[];
}

/** Finds `bulkId:…` in the data of an operation (RFC 7644 §3.7.2), also in the filter of a PATCH path. */
export function referencesIn(data: JsonValue, defined: (bulkId: string) => boolean): References {
  const found: References = { known: new Set(), unknown: [] };
  visit(data, '', (text, key) => {
    for (const bulkId of bulkIdsIn(text, key)) {
      if (defined(bulkId)) found.known.add(bulkId);
      else if (referring.has(key) || key === 'path') found.unknown.push(bulkId);
    }
  });
  return found;
}

/** Returns the data with every reference that `idOf` resolves replaced by the id. */
export function resolveReferences(
  data: JsonObject,
  idOf: (bulkId: string) => string | undefined,
): JsonObject {
  return rewrite(data, '', (text, key) => {
    if (key === 'path') {
      return text.replace(inFilter, (whole, bulkId: string) => {
        const id = idOf(bulkId);
        return id === undefined ? whole : JSON.stringify(id);
      });
    }
    return text.startsWith(prefix) ? (idOf(text.slice(prefix.length)) ?? text) : text;
  }) as JsonObject;
}

/** An attribute that was omitted from a creation, to be added when the referenced resource exists. */
export interface DeferredAttribute {
  path: string;
  value: JsonValue;
}

/** Removes the attributes that refer to one of the bulkIds: top-level ones, and those of extensions. */
export function deferAttributes(
  data: JsonObject,
  bulkIds: ReadonlySet<string>,
): { rest: JsonObject; deferred: DeferredAttribute[] } {
  const refers = (value: JsonValue, key: string): boolean => {
    let hit = false;
    visit(value, key, (text, at) => {
      hit ||= bulkIdsIn(text, at).some((bulkId) => bulkIds.has(bulkId));
    });
    return hit;
  };
  const deferred: DeferredAttribute[] = [];
  const split = (object: JsonObject, urn?: string): JsonObject =>
    Object.fromEntries(
      Object.entries(object).flatMap(([key, value]): [string, JsonValue][] => {
        if (!refers(value, key.toLowerCase())) return [[key, value]];
        if (urn === undefined && /^urn:/i.test(key) && isJsonObject(value)) {
          const rest = split(value, key);
          return Object.keys(rest).length > 0 ? [[key, rest]] : [];
        }
        deferred.push({ path: urn === undefined ? key : `${urn}:${key}`, value });
        return [];
      }),
    );
  return { rest: split(data), deferred };
}

function bulkIdsIn(text: string, key: string): string[] {
  if (key === 'path') return [...text.matchAll(inFilter)].map((match) => match[1] as string);
  return text.startsWith(prefix) ? [text.slice(prefix.length)] : [];
}

/**
 * Visits all texts except passwords, which contain no references. Keys are given in lower case, and extend through
 * arrays.
 */
function visit(value: JsonValue, key: string, found: (text: string, key: string) => void): void {
  if (isPassword(key)) return;
  if (typeof value === 'string') found(value, key);
  else if (Array.isArray(value)) for (const item of value) visit(item, key, found);
  else if (isJsonObject(value)) {
    for (const [name, item] of Object.entries(value)) visit(item, name.toLowerCase(), found);
  }
}

function rewrite(value: JsonValue, key: string, replace: (text: string, key: string) => string): JsonValue {
  if (isPassword(key)) return value;
  if (typeof value === 'string') return replace(value, key);
  if (Array.isArray(value)) return value.map((item) => rewrite(item, key, replace));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, rewrite(item, name.toLowerCase(), replace)]),
  );
}

const isPassword = (key: string): boolean => key === 'password' || key.endsWith(':password');
