import { ScimError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownValue, type Resource } from '../json.ts';
import { shownTextProblem } from '../names/shown-text.ts';
import { userNameProblem } from '../names/user-name.ts';
import type { Attribute } from '../schema/attribute.ts';
import type { SchemaRegistry } from '../schema/registry.ts';

/**
 * Rejects names and identifiers that users could not recognise (RFC 8264 §12, Unicode TR36), in all
 * attributes marked as `shown`. Existing values of the resource may stay, so that no user is locked out by a
 * later rule.
 * @throws ScimError invalidValue with the attribute and code point
 */
export function checkShownTexts(
  resource: Resource,
  current: Resource | undefined,
  registry: SchemaRegistry,
  type: string,
): void {
  check(registry.attributes(type), resource, current, '');
  for (const { schema } of registry.extensions(type)) {
    const value = ownValue(resource, schema.id);
    const had = current && ownValue(current, schema.id);
    if (isJsonObject(value)) check(schema.attributes, value, asObject(had), `${schema.id}:`);
  }
}

function check(
  attributes: readonly Attribute[],
  owner: JsonObject,
  current: JsonObject | undefined,
  prefix: string,
): void {
  for (const attribute of attributes) {
    if (!isConcerned(attribute)) continue;
    const value = ownValue(owner, attribute.name);
    if (value === undefined) continue;
    const had = current && ownValue(current, attribute.name);
    const path = `${prefix}${attribute.name}`;
    if (attribute.subAttributes === undefined) {
      checkTexts(attribute, texts(value), () => texts(had), path);
      continue;
    }
    for (const sub of attribute.subAttributes) {
      checkTexts(sub, parts(value, sub.name), () => parts(had, sub.name), `${path}.${sub.name}`);
    }
  }
}

function checkTexts(
  attribute: Attribute,
  values: readonly string[],
  had: () => readonly string[],
  path: string,
): void {
  if (attribute.shown === undefined) return;
  for (const text of values) {
    const problem =
      shownTextProblem(text, attribute.shown) ??
      (attribute.isUserName === true ? userNameProblem(text) : undefined);
    if (problem !== undefined && !had().includes(text)) throw ScimError.invalidValue(`${path}: ${problem}`);
  }
}

const isConcerned = (attribute: Attribute): boolean =>
  attribute.mutability !== 'readOnly' &&
  (attribute.shown !== undefined || attribute.subAttributes?.some((sub) => sub.shown !== undefined) === true);

const asObject = (value: JsonValue | undefined): JsonObject | undefined =>
  isJsonObject(value) ? value : undefined;

const texts = (value: JsonValue | undefined): string[] =>
  (Array.isArray(value) ? value : [value]).filter((element) => typeof element === 'string');

const parts = (value: JsonValue | undefined, name: string): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((element) =>
    isJsonObject(element) ? texts(ownValue(element, name)) : [],
  );
