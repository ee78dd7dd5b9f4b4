import { ScimError } from '../errors.ts';
import { parsePath } from '../filter/parser.ts';
import { printPath } from '../filter/print.ts';
import { isJsonObject, type JsonValue } from '../json.ts';
import type { Attribute } from '../schema/attribute.ts';
import type { SchemaRegistry } from '../schema/registry.ts';

const onRequest = (attribute: Attribute): boolean =>
  attribute.returned === 'request' || attribute.subAttributes?.some(onRequest) === true;

/**
 * Reports whether the type has attributes that are only returned on request; only then the written attributes
 * matter.
 */
export const returnsOnRequest = (registry: SchemaRegistry, type: string): boolean =>
  registry.attributes(type).some(onRequest) ||
  registry.extensions(type).some(({ schema }) => schema.attributes.some(onRequest));

/** Returns the names of the attributes in a client's resource, for `ProjectionParameters.written`. */
export function writtenIn(resource: JsonValue | undefined): string[] {
  if (!isJsonObject(resource)) return [];
  return Object.entries(resource).flatMap(([name, value]) => namesIn(name, value));
}

/** Returns the names of the attributes in the operations of a PATCH. */
export function writtenBy(operations: unknown): string[] {
  if (!Array.isArray(operations)) return [];
  return operations.flatMap((operation: JsonValue) => {
    if (!isJsonObject(operation)) return [];
    const { path, value } = operation;
    if (typeof path !== 'string' || path === '') return writtenIn(value);
    const name = withoutFilter(path);
    return name === undefined ? [] : namesIn(name, value);
  });
}

/** Parts of an extension follow a colon, those of a complex attribute a dot; unknown names select nothing. */
const namesIn = (name: string, value: JsonValue | undefined): string[] =>
  isJsonObject(value)
    ? Object.entries(value).flatMap(([part, inner]) => [
        `${name}.${part}`,
        ...(isJsonObject(inner)
          ? Object.keys(inner).map((sub) => `${name}:${part}.${sub}`)
          : [`${name}:${part}`]),
      ])
    : [name];

function withoutFilter(text: string): string | undefined {
  try {
    const { filter: _, ...path } = parsePath(text);
    return printPath(path);
  } catch (error) {
    if (error instanceof ScimError) return undefined;
    throw error;
  }
}
