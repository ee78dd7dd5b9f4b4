import { isJsonObject, ScimError } from '@ostiary/scim';
import { isWholeMultiValued } from './attributes.ts';
import { member, type Operation } from './operation.ts';

/**
 * Entra ID and OneLogin send the elements to remove in a value. RFC 7644 §3.5.2.2 defines only a path, and `remove`
 * with path `members` alone empties the group.
 *
 *     {"op": "Remove", "path": "members", "value": [{"$ref": null, "value": "0190…"}]}     Entra ID
 *     {"op": "remove", "path": "members", "value": ["0190…", "0191…"]}                     OneLogin
 *     {"op": "remove", "path": "emails", "value": [{"type": "work", "value": "a@b.c"}]}
 *
 * Each element becomes a removal with a filter; an empty array removes nothing. Without the flag the engine rejects a
 * value: applying the path alone would remove all members instead of one.
 */
export function removeByValue(operation: Operation): Operation[] {
  if (!isRemovalByValue(operation)) return [operation];
  const { path = '', value } = operation;
  const elements = Array.isArray(value) ? value : [value];
  return elements.map((element) => ({ op: 'remove', path: `${path}[${conditionFor(element)}]` }));
}

const isRemovalByValue = ({ op, path, value }: Operation): boolean =>
  op === 'remove' && path !== undefined && isWholeMultiValued(path) && value !== undefined && value !== null;

function conditionFor(element: unknown): string {
  const value = isJsonObject(element) ? member(element, 'value') : element;
  if (typeof value !== 'string' || value === '') {
    throw ScimError.invalidValue('Each element to remove needs a "value".');
  }
  const type = isJsonObject(element) ? member(element, 'type') : undefined;
  const condition = `value eq ${JSON.stringify(value)}`;
  return typeof type === 'string' && type !== ''
    ? `${condition} and type eq ${JSON.stringify(type)}`
    : condition;
}
