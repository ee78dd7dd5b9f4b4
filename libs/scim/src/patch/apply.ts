import { ScimError } from '../errors.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  ownValue,
  type Resource,
} from '../json.ts';
import { requireAttributes, schemasOf } from '../resource/validate.ts';
import { readSubAttributes, readValue } from '../resource/values.ts';
import type { SchemaRegistry } from '../schema/registry.ts';
import { type BoundOperation, bindOperations } from './bind.ts';
import { changeElements, withParts } from './elements.ts';
import type { PatchOperation } from './parse.ts';

export interface PatchResult {
  readonly resource: Resource;
  /** False when the resource is as it was, so that its version stays (RFC 7644 §3.5.2.1). */
  readonly changed: boolean;
}

/**
 * Applies PATCH operations in order to a resource in normal form. Pure and atomic: the given resource stays as it
 * is, and after an error there is no result. readOnly attributes of the resource are carried over.
 * @throws ScimError invalidPath, invalidFilter, invalidValue, noTarget, mutability (RFC 7644 §3.5.2).
 */
export function applyPatch(
  resource: Resource,
  operations: readonly PatchOperation[],
  registry: SchemaRegistry,
  type: string,
): PatchResult {
  let patched = resource;
  for (const operation of bindOperations(operations, registry, type))
    patched = applyOperation(patched, operation);
  requireAttributes(patched, registry, type);
  patched = { ...patched, schemas: schemasOf(patched, registry, type) };
  return jsonEqual(resource, patched) ? { resource, changed: false } : { resource: patched, changed: true };
}

function applyOperation(resource: Resource, operation: BoundOperation): Resource {
  const { extension, attribute } = operation.target;
  if (extension === undefined) {
    return assign(resource, attribute.name, changeAttribute(ownValue(resource, attribute.name), operation));
  }
  const stored = ownValue(resource, extension);
  const owner = isJsonObject(stored) ? stored : {};
  const changed = assign(owner, attribute.name, changeAttribute(ownValue(owner, attribute.name), operation));
  return assign(resource, extension, Object.keys(changed).length === 0 ? undefined : changed);
}

/** A copy of the object with the member set, or without it. */
function assign(object: JsonObject, key: string, value: JsonValue | undefined): JsonObject {
  if (value !== undefined) return { ...object, [key]: value };
  if (!Object.hasOwn(object, key)) return object;
  const { [key]: _removed, ...rest } = object;
  return rest;
}

function changeAttribute(current: JsonValue | undefined, operation: BoundOperation): JsonValue | undefined {
  const { attribute, canonical } = operation.target;
  const changed = attribute.multiValued
    ? changeElements(Array.isArray(current) ? current : [], operation)?.slice()
    : changeSingle(current, operation);
  if (attribute.mutability === 'immutable' && current !== undefined && !jsonEqual(current, changed)) {
    throw ScimError.mutability(`${canonical} is immutable.`);
  }
  return changed;
}

function changeSingle(current: JsonValue | undefined, operation: BoundOperation): JsonValue | undefined {
  const { op, target } = operation;
  const { attribute, subAttribute, canonical } = target;
  const value = operation.value ?? null;
  if (op === 'add' && value === null) return current;
  const owner = isJsonObject(current) ? current : {};
  if (subAttribute !== undefined) {
    const part = op === 'remove' ? undefined : readValue(subAttribute, value, canonical);
    return withParts(attribute, owner, new Map([[subAttribute.name, part]]));
  }
  if (op === 'remove' || value === null) return undefined;
  if (attribute.type !== 'complex') return readValue(attribute, value, canonical);
  // RFC 7644 §3.5.2.3: parts that aren't named stay as they are.
  return withParts(attribute, owner, readSubAttributes(attribute, value, canonical));
}
