import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  applyPatch,
  ENTERPRISE_USER_SCHEMA,
  parseOperations,
  type Resource,
  ScimError,
  validateResource,
} from '../../src/index.ts';
import { extensionSchema, registry, text, userBody } from '../support/arbitraries.ts';

function create(body: unknown, type = 'User'): Resource {
  return validateResource(body, registry, type, 'create');
}

const path = fc.constantFrom(
  'userName',
  'name',
  'name.givenName',
  'emails',
  'emails.value',
  'emails.primary',
  'emails[type eq "work"]',
  'emails[type eq "work"].value',
  'emails[primary eq true].primary',
  'emails[not (value pr)]',
  'active',
  'title',
  ENTERPRISE_USER_SCHEMA,
  `${ENTERPRISE_USER_SCHEMA}:manager`,
  `${ENTERPRISE_USER_SCHEMA}:department`,
  extensionSchema.id,
  `${extensionSchema.id}:tags`,
  `${extensionSchema.id}:tags[value eq "a"]`,
  `${extensionSchema.id}:numbers`,
  'schemas',
  'id',
  'groups',
  'members',
);
const email = fc.record(
  { value: text, type: fc.constantFrom('work', 'home'), primary: fc.boolean() },
  { requiredKeys: [] },
);
const value = fc.oneof(
  text,
  fc.boolean(),
  fc.constant(null),
  email,
  fc.array(email, { maxLength: 3 }),
  userBody,
  fc.record({ department: text, tags: fc.array(text) }),
  fc.array(text, { maxLength: 3 }),
  fc.jsonValue(),
);
const operation = fc.record({
  op: fc.constantFrom('add', 'remove', 'replace'),
  path: fc.option(path, { nil: undefined }),
  value: fc.option(value, { nil: undefined }),
});

test('Random patches give a resource in normal form or a ScimError, and do not change the original.', () => {
  const property = fc.property(userBody, fc.array(operation, { minLength: 1, maxLength: 4 }), (body, raw) => {
    const before = create(body);
    const text = JSON.stringify(before);
    let after: Resource;
    try {
      const operations = parseOperations(JSON.parse(JSON.stringify(raw)));
      after = applyPatch(before, operations, registry, 'User').resource;
    } catch (error) {
      expect(error).toBeInstanceOf(ScimError);
      return;
    } finally {
      expect(JSON.stringify(before)).toBe(text);
    }
    expect(create(after)).toEqual(after);
  });
  fc.assert(property, { numRuns: 5000 });
});
