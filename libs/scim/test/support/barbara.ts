import { expect } from '@jest/globals';
import {
  applyPatch,
  ENTERPRISE_USER_SCHEMA,
  type JsonValue,
  parseOperations,
  type Resource,
  ScimError,
  USER_SCHEMA,
} from '../../src/index.ts';
import { extensionSchema, registry } from './arbitraries.ts';

/** Extension of `registry`. */
export const testUrn = extensionSchema.id;
/** A user in normal form, as stored. */
export const barbara: Resource = {
  schemas: [USER_SCHEMA, ENTERPRISE_USER_SCHEMA],
  id: '0197a1b2-0000-7000-8000-000000000001',
  externalId: 'bjensen',
  userName: 'bjensen@example.com',
  name: { givenName: 'Barbara', familyName: 'Jensen' },
  active: true,
  emails: [
    { value: 'work@example.com', type: 'work', primary: true },
    { value: 'home@example.com', type: 'home' },
  ],
  groups: [{ value: 'g1', display: 'Tour Guides' }],
  meta: { resourceType: 'User', version: 'W/"1"' },
  [ENTERPRISE_USER_SCHEMA]: { employeeNumber: '701984', manager: { value: '26118915', displayName: 'John' } },
};

/** An operation in JSON. */
export type Operation = Record<string, JsonValue>;

/** Applies the operations, and verifies that the given resource is unchanged. */
export function patch(
  operations: Operation[],
  resource: Resource = barbara,
): { resource: Resource; changed: boolean } {
  const before = JSON.stringify(resource);
  const result = applyPatch(resource, parseOperations(operations), registry, 'User');
  expect(JSON.stringify(resource)).toBe(before);
  return result;
}

/** Returns the attributes that differ after the operations; null for removed ones. */
export function changes(...operations: Operation[]): Resource {
  const { resource, changed } = patch(operations);
  const keys = new Set([...Object.keys(barbara), ...Object.keys(resource)]);
  const different = [...keys].filter((key) => JSON.stringify(barbara[key]) !== JSON.stringify(resource[key]));
  expect(changed).toBe(different.length > 0);
  return Object.fromEntries(different.map((key) => [key, resource[key] ?? null]));
}

/** Returns the scimType of the error. */
export function failure(...operations: Operation[]): string | undefined {
  try {
    patch(operations);
  } catch (error) {
    if (error instanceof ScimError) return error.scimType;
    throw error;
  }
  return 'no error';
}
