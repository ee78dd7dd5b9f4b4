import { isJsonObject } from '@ostiary/scim';
import { isSingleValued } from './attributes.ts';
import type { Operation } from './operation.ts';

/**
 * Entra ID's older form wraps the value of a single-valued attribute like an element of a multi-valued one.
 *
 *     {"op": "Add", "path": "displayName", "value": [{"$ref": null, "value": "Ada Lovelace"}]}
 *     {"op": "Add", "path": "urn:…:enterprise:2.0:User:manager", "value": [{"$ref": "http…/Users/7", "value": "7"}]}
 */
export function wrappedScalars(operation: Operation): Operation {
  const { path, value } = operation;
  if (path === undefined || !isSingleValued(path) || !Array.isArray(value) || value.length !== 1)
    return operation;
  const [only] = value;
  if (!isJsonObject(only) || only.value === undefined) return operation;
  const wrapper = Object.keys(only).every((key) => key === 'value' || key === '$ref');
  return wrapper ? { ...operation, value: only.value } : operation;
}
