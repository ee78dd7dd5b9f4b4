import { quote, ScimError } from '../errors.ts';
import type { AttributePath } from '../filter/ast.ts';
import { parsePath } from '../filter/parser.ts';
import { isJsonObject, type JsonValue } from '../json.ts';
import { caseless } from '../resource/validate.ts';
import { PATCH_OP } from '../urns.ts';

/** One operation of a PATCH request (RFC 7644 §3.5.2). Its names are as written: applying looks them up. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path?: AttributePath;
  /** Present for `add` and `replace`; null means unassigned. */
  readonly value?: JsonValue;
}

export interface PatchLimits {
  /** Default 1,000. */
  maxOperations?: number;
}

/**
 * Reads a PatchOp message.
 * @throws ScimError invalidSyntax for a body of another shape, invalidPath for a malformed path, noTarget for a
 *   `remove` without path, invalidValue for a missing or superfluous value; 413 for too many operations.
 */
export function parsePatch(body: unknown, limits: PatchLimits = {}): PatchOperation[] {
  if (!isJsonObject(body)) throw ScimError.invalidSyntax('The body must be a JSON object.');
  const members = caseless(body);
  const schemas = members.get('schemas');
  if (!Array.isArray(schemas) || !schemas.includes(PATCH_OP)) {
    throw ScimError.invalidSyntax(`"schemas" must hold ${PATCH_OP}.`);
  }
  return parseOperations(members.get('operations'), limits);
}

/** Reads the `Operations` array alone, as it travels between services. @throws ScimError, see parsePatch. */
export function parseOperations(operations: unknown, limits: PatchLimits = {}): PatchOperation[] {
  if (!Array.isArray(operations) || operations.length === 0) {
    throw ScimError.invalidSyntax('"Operations" must be a non-empty array.');
  }
  const maxOperations = limits.maxOperations ?? 1000;
  if (operations.length > maxOperations) {
    throw ScimError.payloadTooLarge(`More than ${maxOperations} operations in one PATCH.`);
  }
  return operations.map((operation: JsonValue, index) => parseOperation(operation, index));
}

function parseOperation(operation: JsonValue, index: number): PatchOperation {
  const at = `Operations[${index}]`;
  if (!isJsonObject(operation)) throw ScimError.invalidSyntax(`${at} must be an object.`);
  const members = caseless(operation);
  const op = members.get('op');
  if (op !== 'add' && op !== 'remove' && op !== 'replace') {
    throw ScimError.invalidSyntax(`${at}.op must be "add", "remove" or "replace"${sent(op)}.`);
  }
  const pathText = members.get('path') ?? undefined;
  if (pathText !== undefined && typeof pathText !== 'string') {
    throw ScimError.invalidPath(`${at}.path must be a string.`);
  }
  const path = pathText === undefined ? undefined : parsePath(pathText);
  const value = members.get('value');
  if (op === 'remove') {
    if (path === undefined) throw ScimError.noTarget(`${at}: remove needs a path.`);
    // Ignoring it would remove every value where the client named some.
    if (value !== undefined && value !== null) {
      throw ScimError.invalidValue(`${at}: remove takes no value; select values by a filter in the path.`);
    }
    return { op, path };
  }
  if (value === undefined) throw ScimError.invalidValue(`${at}: ${op} needs a value.`);
  if (path !== undefined) return { op, path, value };
  if (!isJsonObject(value)) throw ScimError.invalidValue(`${at}: without a path, value must be an object.`);
  return { op, value };
}

function sent(op: JsonValue | undefined): string {
  return typeof op === 'string' ? `, not ${quote(op)}` : '';
}
