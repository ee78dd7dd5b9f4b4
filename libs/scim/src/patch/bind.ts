import { quote, ScimError } from '../errors.ts';
import type { AttributePath } from '../filter/ast.ts';
import { parsePath } from '../filter/parser.ts';
import { printPath } from '../filter/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { type BoundFilter, bindElementFilter } from '../matching/bind.ts';
import { isBlank } from '../resource/assigned.ts';
import { caseless, isWithheld } from '../resource/validate.ts';
import { findSubAttribute } from '../schema/attribute.ts';
import { type AttributeReference, attributeReference, type SchemaRegistry } from '../schema/registry.ts';
import type { PatchOperation } from './parse.ts';

/** A PATCH operation on one attribute (or sub-attribute) that the resource type has. */
export interface BoundOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly target: AttributeReference;
  /** The value filter of the path, relative to the elements of `target.attribute`. */
  readonly filter?: BoundFilter;
  readonly value?: JsonValue;
}

/**
 * Resolves the targets of operations, one bound operation per attribute: an operation without a path, or on a
 * whole extension, becomes several. Unknown names are an error in a path and ignored in a value.
 * @throws ScimError invalidPath, invalidFilter, invalidValue, and mutability for readOnly attributes.
 */
export function bindOperations(
  operations: readonly PatchOperation[],
  registry: SchemaRegistry,
  type: string,
): BoundOperation[] {
  return operations.flatMap((operation) => bindOperation(operation, registry, type));
}

/** As bindOperations, for one. */
export function bindOperation(
  operation: PatchOperation,
  registry: SchemaRegistry,
  type: string,
): BoundOperation[] {
  const { path } = operation;
  if (path === undefined)
    return bindMembers(operation, requireObject(operation.value, 'value'), registry, type);
  const target = registry.resolve(type, path);
  if (target === undefined) throw ScimError.invalidPath(`Unknown attribute ${quote(printPath(path))}.`);
  if (target.attribute !== undefined) return bindAttribute(operation, target, path, registry, type);
  return bindExtension(operation, target.extension, registry, type);
}

/** The members of a pathless value: attributes, extensions, and paths like `name.givenName`. */
function bindMembers(
  operation: PatchOperation,
  value: JsonObject,
  registry: SchemaRegistry,
  type: string,
): BoundOperation[] {
  caseless(value);
  return Object.entries(value).flatMap(([key, member]) => {
    const path = memberPath(key);
    if (path === undefined || registry.resolve(type, path) === undefined) return [];
    return bindOperation({ op: operation.op, path, value: member }, registry, type);
  });
}

/** Returns the path that a key of a pathless value states; undefined if it is none and so names nothing. */
function memberPath(key: string): AttributePath | undefined {
  try {
    return parsePath(key);
  } catch (error) {
    // A bracket shows that a path was intended; ignoring it would lose data.
    if (error instanceof ScimError && !key.includes('[')) return undefined;
    throw error;
  }
}

function bindExtension(
  operation: PatchOperation,
  urn: string,
  registry: SchemaRegistry,
  type: string,
): BoundOperation[] {
  const attributes = registry.schema(urn)?.attributes ?? [];
  if (operation.op === 'remove' || operation.value === null) {
    if (operation.op === 'add') return [];
    const kept = attributes.find(isWithheld);
    if (kept) throw notYours(`${urn}:${kept.name}`);
    return attributes
      .filter((attribute) => attribute.mutability !== 'readOnly')
      .map((attribute) => ({ op: 'remove', target: attributeReference(urn, attribute) }));
  }
  const value = requireObject(operation.value, urn);
  caseless(value);
  return Object.entries(value).flatMap(([key, member]) => {
    const path = memberPath(key);
    if (path === undefined || path.urn !== undefined) return [];
    const qualified: AttributePath = { ...path, urn };
    if (registry.resolve(type, qualified) === undefined) return [];
    return bindOperation({ op: operation.op, path: qualified, value: member }, registry, type);
  });
}

function bindAttribute(
  operation: PatchOperation,
  target: AttributeReference,
  path: AttributePath,
  registry: SchemaRegistry,
  type: string,
): BoundOperation[] {
  const { attribute, definition } = target;
  if (attribute.name === 'schemas' && target.extension === undefined) {
    checkSchemas(operation, registry, type);
    return [];
  }
  if (attribute.withheld || definition.withheld) throw notYours(target.canonical);
  if (attribute.mutability === 'readOnly' || definition.mutability === 'readOnly') {
    throw ScimError.mutability(`${target.canonical} is read-only.`);
  }
  const { op } = operation;
  const value = isBlank(definition, operation.value) ? null : operation.value;
  if (target.subAttribute === undefined) refuseWithheldParts(target, value);
  const rest = value === undefined ? {} : { value };
  if (path.filter === undefined) return [{ op, target, ...rest }];
  if (!attribute.multiValued) {
    throw ScimError.invalidPath(
      `${target.canonical} has a single value, so its path cannot have a value filter.`,
    );
  }
  return [{ op, target, filter: bindElementFilter(path.filter, attribute, ScimError.invalidPath), ...rest }];
}

/** @throws ScimError mutability if the value has a part that this client may not write */
function refuseWithheldParts(
  { attribute, canonical }: AttributeReference,
  value: JsonValue | undefined,
): void {
  if (!isJsonObject(value)) return;
  for (const key of Object.keys(value)) {
    const part = findSubAttribute(attribute, key);
    if (part?.withheld) throw notYours(`${canonical}.${part.name}`);
  }
}

const notYours = (canonical: string): ScimError =>
  ScimError.mutability(`${canonical} is not writable by this client.`);

/** `schemas` is computed, so naming known ones changes nothing. */
function checkSchemas(operation: PatchOperation, registry: SchemaRegistry, type: string): void {
  if (operation.op === 'remove') throw ScimError.invalidValue('schemas is required.');
  const urns = Array.isArray(operation.value) ? operation.value : [operation.value];
  for (const urn of urns) {
    if (typeof urn !== 'string' || registry.schemaOf(type, urn) === undefined) {
      throw ScimError.invalidValue(`${quote(String(urn))} is not a schema of ${type}.`);
    }
  }
}

function requireObject(value: JsonValue | undefined, at: string): JsonObject {
  if (!isJsonObject(value)) throw ScimError.invalidValue(`${at} must be an object.`);
  return value;
}
