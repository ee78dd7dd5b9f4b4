import {
  BULK_REQUEST,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseIfMatch,
  ScimError,
} from '@ostiary/scim';
import { member } from '../../compatibility/index.ts';
import type { ResourceType } from '../../protocol/index.ts';

export type BulkMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The resource of an operation: an id, or the bulkId of an operation of the same Bulk. */
export type Target = { id: string } | { bulkId: string };

export interface BulkOperation {
  method: BulkMethod;
  type: ResourceType;
  /** Absent for POST. */
  target?: Target;
  data?: JsonObject;
  ifMatch?: readonly string[];
}

/** One parsed element of `Operations`. */
export interface BulkEntry {
  /** As the client sent it, repeated in the response. */
  method?: string;
  bulkId?: string;
  /** The operation, or the error with which it is rejected. */
  task: BulkOperation | ScimError;
}

export interface BulkRequest {
  failOnErrors?: number;
  entries: BulkEntry[];
}

const methods: ReadonlySet<string> = new Set<BulkMethod>(['POST', 'PUT', 'PATCH', 'DELETE']);
/** Slashes are treated as in addresses: several count as one, and a trailing one is ignored. */
const collectionPath = /^\/+(Users|Groups)\/*$/;
const resourcePath =
  /^\/+(Users|Groups)\/+(?:([A-Za-z0-9_~-][A-Za-z0-9._~-]{0,127})|bulkId:([^/?#%\\\s]{1,128}))\/*$/;
const maxBulkIdLength = 128;

/**
 * Parses a BulkRequest message (RFC 7644 §3.7). An error in one operation is the outcome of that operation.
 * @throws ScimError invalidSyntax, invalidValue, 413
 */
export function readBulk(body: unknown, maxOperations: number): BulkRequest {
  if (!isJsonObject(body)) throw ScimError.invalidSyntax('The body must be a BulkRequest message.');
  const schemas = member(body, 'schemas');
  if (!Array.isArray(schemas) || !schemas.includes(BULK_REQUEST)) {
    throw ScimError.invalidSyntax(`"schemas" must contain ${BULK_REQUEST}.`);
  }
  const list = member(body, 'operations');
  if (!Array.isArray(list) || list.length === 0) {
    throw ScimError.invalidSyntax('"Operations" must be an array with at least one operation.');
  }
  if (list.length > maxOperations) {
    throw ScimError.payloadTooLarge(
      `The Bulk has ${list.length} operations; maxOperations is ${maxOperations}.`,
    );
  }
  const failOnErrors = member(body, 'failonerrors') ?? undefined;
  if (failOnErrors !== undefined && !(Number.isSafeInteger(failOnErrors) && (failOnErrors as number) > 0)) {
    throw ScimError.invalidValue('"failOnErrors" must be a whole number, at least 1.');
  }
  const entries = list.map(readEntry);
  refuseAmbiguity(entries);
  return { entries, ...(failOnErrors === undefined ? {} : { failOnErrors: failOnErrors as number }) };
}

/** Rejects a duplicate bulkId: a reference to it could resolve to the wrong resource. */
function refuseAmbiguity(entries: readonly BulkEntry[]): void {
  const seen = new Set<string>();
  for (const { bulkId } of entries) {
    if (bulkId === undefined) continue;
    if (seen.has(bulkId)) throw ScimError.invalidValue('Two operations have the same "bulkId".');
    seen.add(bulkId);
  }
}

function readEntry(given: JsonValue): BulkEntry {
  if (!isJsonObject(given)) return { task: ScimError.invalidSyntax('An operation must be an object.') };
  const method = member(given, 'method');
  const bulkId = member(given, 'bulkid');
  const entry = {
    ...(typeof method === 'string' ? { method: method.slice(0, 16) } : {}),
    ...(typeof bulkId === 'string' ? { bulkId: bulkId.slice(0, maxBulkIdLength) } : {}),
  };
  try {
    return { ...entry, task: readOperation(given, method, bulkId) };
  } catch (error) {
    if (error instanceof ScimError) return { ...entry, task: error };
    throw error;
  }
}

function readOperation(
  given: JsonObject,
  methodGiven: JsonValue | undefined,
  bulkId: JsonValue | undefined,
): BulkOperation {
  const method = typeof methodGiven === 'string' ? methodGiven.toUpperCase() : '';
  if (!methods.has(method)) throw ScimError.invalidValue('"method" must be POST, PUT, PATCH or DELETE.');
  if (bulkId !== undefined && bulkId !== null) requireBulkId(bulkId);
  else if (method === 'POST') throw ScimError.invalidValue('A POST requires a "bulkId".');
  const place = readPath(member(given, 'path'), method as BulkMethod);
  const version = member(given, 'version') ?? undefined;
  if (version !== undefined && typeof version !== 'string') {
    throw ScimError.invalidValue('"version" must be the version of a resource.');
  }
  const ifMatch = method === 'POST' ? undefined : parseIfMatch(version);
  const data = member(given, 'data');
  if (method !== 'DELETE' && !isJsonObject(data))
    throw ScimError.invalidSyntax(`A ${method} requires "data".`);
  return {
    method: method as BulkMethod,
    ...place,
    ...(method !== 'DELETE' && isJsonObject(data) ? { data } : {}),
    ...(ifMatch ? { ifMatch } : {}),
  };
}

function requireBulkId(bulkId: JsonValue): void {
  if (typeof bulkId !== 'string' || !/^[^\s"\\]+$/.test(bulkId) || bulkId.length > maxBulkIdLength) {
    throw ScimError.invalidValue(
      `"bulkId" must be a string of 1 to ${maxBulkIdLength} characters without white space, quotes and backslashes.`,
    );
  }
}

/**
 * Accepts only the listed paths: no other address, no query, no other tenant, and nothing that a URL parser would
 * rewrite.
 */
function readPath(path: JsonValue | undefined, method: BulkMethod): { type: ResourceType; target?: Target } {
  const text = typeof path === 'string' ? path : '';
  const match = (method === 'POST' ? collectionPath : resourcePath).exec(text);
  if (!match) {
    throw ScimError.invalidPath(
      method === 'POST'
        ? '"path" of a POST must be /Users or /Groups.'
        : `"path" of a ${method} must be /Users/{id} or /Groups/{id}.`,
    );
  }
  const [, endpoint, id, bulkId] = match;
  const type: ResourceType = endpoint === 'Users' ? 'User' : 'Group';
  if (id !== undefined) return { type, target: { id } };
  return bulkId === undefined ? { type } : { type, target: { bulkId } };
}
