import { ScimError } from '../errors.ts';
import type { AttributePath } from '../filter/ast.ts';
import { parsePath } from '../filter/parser.ts';
import { isJsonObject, type JsonValue } from '../json.ts';
import { type PatchLimits, readOperations, readPatchMessage, type SentOperation } from './message.ts';

/** One operation of a PATCH request (RFC 7644 §3.5.2), with names as written, which applying it resolves. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path?: AttributePath;
  /** Present for `add` and `replace`; null means unassigned. */
  readonly value?: JsonValue;
}

/**
 * Reads a PatchOp message.
 * @throws ScimError as `readPatchMessage`, invalidPath for a malformed path, noTarget for a `remove` without path,
 *   invalidValue for a missing or superfluous value.
 */
export function parsePatch(body: unknown, limits: PatchLimits = {}): PatchOperation[] {
  return readPatchMessage(body, limits).map(parseOperation);
}

/** Parses the `Operations` array alone, as sent between services. @throws ScimError, see parsePatch. */
export function parseOperations(operations: unknown, limits: PatchLimits = {}): PatchOperation[] {
  return readOperations(operations, limits).map(parseOperation);
}

function parseOperation({ op, path: pathText, value }: SentOperation, index: number): PatchOperation {
  const at = `Operations[${index}]`;
  const path = pathText === undefined ? undefined : parsePath(pathText);
  if (op === 'remove') {
    if (path === undefined) throw ScimError.noTarget(`${at}: remove needs a path.`);
    // Ignoring it would remove every value although the client named some.
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
