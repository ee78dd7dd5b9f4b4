import type { JsonObject } from '@ostiary/scim';
import { bareManager, bareManagerIn, resourceBareManager } from './bare-manager.ts';
import { type CoreType, draftSchemas } from './draft-schemas.ts';
import type { Operation } from './operation.ts';
import { pathKeysCreateElements, replaceCreatesElement, withoutPathKeys } from './path-keys.ts';
import type { Quirks } from './profiles.ts';
import { readOnlyKeys } from './read-only-keys.ts';
import { removeByValue } from './remove-by-value.ts';
import {
  quotedBooleans,
  quotedBooleansIn,
  resourceStringBooleans,
  stringBooleans,
} from './string-booleans.ts';
import { unknownSchemas } from './unknown-schemas.ts';
import { wrappedScalars } from './wrapped-scalars.ts';

/**
 * Returns a PATCH in the form of RFC 7644, by the flags of the caller's profile. Values are unwrapped before they are
 * read.
 */
export function normaliseOperations(operations: readonly Operation[], quirks: Quirks): Operation[] {
  return operations
    .flatMap((operation) =>
      quirks.pathKeys ? pathKeysCreateElements(operation) : [withoutPathKeys(operation)],
    )
    .map((operation) => (quirks.readOnlyKeys ? readOnlyKeys(operation) : operation))
    .map((operation) => (quirks.wrappedScalars ? wrappedScalars(operation) : operation))
    .map((operation) => (quirks.bareManager ? bareManager(operation) : operation))
    .map((operation) => (quirks.stringBooleans ? stringBooleans(operation) : operation))
    .map((operation) => (quirks.quotedBooleans ? quotedBooleans(operation) : operation))
    .map((operation) => (quirks.replaceCreatesElement ? replaceCreatesElement(operation) : operation))
    .flatMap((operation) => (quirks.removeByValue ? removeByValue(operation) : [operation]));
}

/** Returns the resource of a POST or PUT in the form of RFC 7643. */
export function normaliseResource(resource: JsonObject, type: CoreType, quirks: Quirks): JsonObject {
  let result = resource;
  if (quirks.draftSchemas) result = draftSchemas(result, type);
  if (quirks.unknownSchemas) result = unknownSchemas(result);
  if (quirks.bareManager) result = resourceBareManager(result);
  if (quirks.stringBooleans) result = resourceStringBooleans(result);
  return result;
}

/** Returns the text of a filter in the form of RFC 7644. */
export function normaliseFilter(filter: string, quirks: Quirks): string {
  const named = quirks.bareManager ? bareManagerIn(filter) : filter;
  return quirks.quotedBooleans ? quotedBooleansIn(named) : named;
}
