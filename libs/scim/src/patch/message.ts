import { quote, ScimError } from '../errors.ts';
import { isJsonObject, type JsonValue } from '../json.ts';
import { caseless } from '../resource/validate.ts';
import { PATCH_OP } from '../urns.ts';

/** One element of `Operations` in the right form; path and value are not yet interpreted. */
export interface SentOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path?: string;
  readonly value?: JsonValue;
}

export interface PatchLimits {
  /** Default 1,000. */
  maxOperations?: number;
}

export interface PatchMessageOptions extends PatchLimits {
  /**
   * Whether "Replace" equals "replace", as Entra ID writes it: {"op": "Replace", "path": "displayName",
   * "value": "Ada"}
   */
  anyCaseOperations?: boolean;
  /** Whether an empty path counts as absent, as null does: some clients always send the member. */
  emptyPathIsAbsent?: boolean;
}

/**
 * Parses a PatchOp message (RFC 7644 §3.5.2), with all its error messages.
 * @throws ScimError invalidSyntax for a body of another form, invalidValue for a path that is not text; 413
 * for too many operations.
 */
export function readPatchMessage(body: unknown, options: PatchMessageOptions = {}): SentOperation[] {
  if (!isJsonObject(body))
    throw ScimError.invalidSyntax('The body must be a PatchOp message, a JSON object.');
  const members = caseless(body);
  const schemas = members.get('schemas');
  if (!Array.isArray(schemas) || !schemas.includes(PATCH_OP)) {
    throw ScimError.invalidSyntax(`"schemas" must contain ${PATCH_OP}.`);
  }
  return readOperations(members.get('operations'), options);
}

/** Parses the `Operations` array alone, as sent between services. @throws ScimError, see readPatchMessage. */
export function readOperations(operations: unknown, options: PatchMessageOptions = {}): SentOperation[] {
  if (!Array.isArray(operations) || operations.length === 0) {
    throw ScimError.invalidSyntax('"Operations" must be an array with at least one operation.');
  }
  const maxOperations = options.maxOperations ?? 1000;
  if (operations.length > maxOperations) {
    throw ScimError.payloadTooLarge(`A PATCH must have at most ${maxOperations} operations.`);
  }
  return operations.map((operation: JsonValue, index) => readOperation(operation, index, options));
}

function readOperation(
  operation: JsonValue,
  index: number,
  { anyCaseOperations = false, emptyPathIsAbsent = false }: PatchMessageOptions,
): SentOperation {
  const at = `Operations[${index}]`;
  if (!isJsonObject(operation)) throw ScimError.invalidSyntax(`${at} must be an object.`);
  const members = caseless(operation);
  const sent = members.get('op');
  const op = anyCaseOperations && typeof sent === 'string' ? sent.toLowerCase() : sent;
  if (op !== 'add' && op !== 'remove' && op !== 'replace') {
    const instead = typeof sent === 'string' ? `, not ${quote(sent)}` : '';
    throw ScimError.invalidSyntax(`${at}.op must be "add", "remove" or "replace"${instead}.`);
  }
  const given = members.get('path') ?? undefined;
  const path = given === '' && emptyPathIsAbsent ? undefined : given;
  if (path !== undefined && typeof path !== 'string') {
    throw ScimError.invalidValue(`${at}.path must be a string.`);
  }
  const value = members.get('value');
  return { op, ...(path === undefined ? {} : { path }), ...(value === undefined ? {} : { value }) };
}
