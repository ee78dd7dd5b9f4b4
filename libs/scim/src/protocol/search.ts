import { ScimError } from '../errors.ts';
import { isJsonObject, type JsonValue } from '../json.ts';
import { caseless } from '../resource/validate.ts';
import { SEARCH_REQUEST } from '../urns.ts';

/** A query for resources, from a URL or a SearchRequest message (RFC 7644 §3.4.2 and §3.4.3, RFC 9865). */
export interface SearchQuery {
  filter?: string;
  sortBy?: string;
  sortOrder?: 'ascending' | 'descending';
  /** 1-based, at least 1. */
  startIndex?: number;
  /** At least 0. The caller caps it. */
  count?: number;
  attributes?: string[];
  excludedAttributes?: string[];
  /** Empty for the first page of a walk (RFC 9865 §2). */
  cursor?: string;
}

/** Reads a SearchRequest message. @throws ScimError invalidSyntax, or invalidValue for a parameter. */
export function parseSearchRequest(body: unknown): SearchQuery {
  if (!isJsonObject(body)) throw ScimError.invalidSyntax('The body must be a JSON object.');
  const members = caseless(body);
  const schemas = members.get('schemas');
  if (!Array.isArray(schemas) || !schemas.includes(SEARCH_REQUEST)) {
    throw ScimError.invalidSyntax(`"schemas" must contain ${SEARCH_REQUEST}.`);
  }
  return readQuery((name) => members.get(name.toLowerCase()) ?? undefined);
}

/** Parses the parameters of a URL, as a query string parser returns them. @throws ScimError invalidValue */
export function parseSearchQuery(query: Readonly<Record<string, unknown>>): SearchQuery {
  return readQuery((name) => {
    const value = Object.hasOwn(query, name) ? query[name] : undefined;
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw ScimError.invalidValue(`"${name}" is given twice.`);
    return value;
  });
}

function readQuery(parameter: (name: string) => JsonValue | undefined): SearchQuery {
  const query: SearchQuery = {};
  const filter = text(parameter, 'filter');
  if (filter !== undefined) query.filter = filter;
  const sortBy = text(parameter, 'sortBy');
  if (sortBy !== undefined && sortBy !== '') query.sortBy = sortBy;
  const sortOrder = text(parameter, 'sortOrder')?.toLowerCase();
  if (sortOrder === 'ascending' || sortOrder === 'descending') query.sortOrder = sortOrder;
  else if (sortOrder !== undefined)
    throw ScimError.invalidValue('"sortOrder" is "ascending" or "descending".');
  // RFC 7644 §3.4.2.4: less than 1 means 1, and a negative count means 0.
  const startIndex = integer(parameter, 'startIndex');
  if (startIndex !== undefined) query.startIndex = Math.max(1, startIndex);
  const count = integer(parameter, 'count');
  if (count !== undefined) query.count = Math.max(0, count);
  const attributes = names(parameter, 'attributes');
  if (attributes !== undefined) query.attributes = attributes;
  const excluded = names(parameter, 'excludedAttributes');
  if (excluded !== undefined) query.excludedAttributes = excluded;
  if (attributes !== undefined && excluded !== undefined) {
    throw ScimError.invalidValue('"attributes" and "excludedAttributes" cannot be combined.');
  }
  const cursor = text(parameter, 'cursor');
  if (cursor !== undefined) query.cursor = cursor;
  return query;
}

function text(parameter: (name: string) => JsonValue | undefined, name: string): string | undefined {
  const value = parameter(name);
  if (value === undefined || typeof value === 'string') return value;
  throw ScimError.invalidValue(`"${name}" must be a string.`);
}

/** Limits values to the range of a bigint column. */
function integer(parameter: (name: string) => JsonValue | undefined, name: string): number | undefined {
  const value = parameter(name);
  if (value === undefined) return undefined;
  const number = typeof value === 'string' && /^[+-]?[0-9]{1,400}$/.test(value) ? Number(value) : value;
  if (
    typeof number !== 'number' ||
    !(Number.isInteger(number) || Math.abs(number) === Number.POSITIVE_INFINITY)
  ) {
    throw ScimError.invalidValue(`"${name}" must be an integer.`);
  }
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, number));
}

function names(parameter: (name: string) => JsonValue | undefined, name: string): string[] | undefined {
  const value = parameter(name);
  if (value === undefined) return undefined;
  const list = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(list) || !list.every((item) => typeof item === 'string')) {
    throw ScimError.invalidValue(`"${name}" must be an array of strings.`);
  }
  const given = list.map((item) => item.trim()).filter((item) => item !== '');
  return given.length === 0 ? undefined : given;
}
