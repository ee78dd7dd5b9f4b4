import { describe, expect, test } from '@jest/globals';
import {
  applyPatch,
  ENTERPRISE_USER_SCHEMA,
  type JsonObject,
  parseOperations,
  project,
  type Resource,
  ScimError,
  USER_SCHEMA,
  validateResource,
} from '../../src/index.ts';
import { registry } from '../support/arbitraries.ts';

function create(body: unknown, type = 'User'): Resource {
  return validateResource(body, registry, type, 'create');
}

function failure(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof ScimError) return error.scimType;
    throw error;
  }
  return 'no error';
}

const user = (members: JsonObject): JsonObject => ({
  schemas: [USER_SCHEMA],
  userName: 'bjensen',
  ...members,
});

describe('names of prototype properties', () => {
  const hostile = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'constructor.prototype',
    '__proto__.polluted',
  ];
  const pristine = () => {
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  };

  test('Names of prototype properties reach nothing through a body, a PATCH key, a path or a projection.', () => {
    for (const name of hostile) {
      const body = JSON.parse(
        `{"schemas":["${USER_SCHEMA}"],"userName":"b","${name}":{"polluted":true},"name":{"${name}":{"polluted":true},"givenName":"B"},"${ENTERPRISE_USER_SCHEMA}":{"${name}":{"polluted":true}}}`,
      );
      const resource = create(body);
      expect(resource).toEqual(user({ userName: 'b', name: { givenName: 'B' } }));
      for (const value of [
        { [name]: { polluted: true } },
        JSON.parse(`{"name":{"${name}":{"polluted":true}}}`),
        { [ENTERPRISE_USER_SCHEMA]: JSON.parse(`{"${name}":1}`) },
      ]) {
        const operations = parseOperations([
          { op: 'add', value },
          { op: 'replace', value },
        ]);
        expect(applyPatch(resource, operations, registry, 'User').changed).toBe(false);
      }
      for (const path of [
        name,
        `name.${name}`,
        `${name}.polluted`,
        `${USER_SCHEMA}:${name}`,
        `${name}[a eq 1].b`,
        `emails[${name} eq 1]`,
      ]) {
        const patch = () =>
          applyPatch(
            resource,
            parseOperations([{ op: 'add', path, value: { polluted: true } }]),
            registry,
            'User',
          );
        expect([path, failure(patch)]).toEqual([path, 'invalidPath']);
      }
      expect(project(resource, { attributes: name }, registry, 'User')).toEqual({ schemas: [USER_SCHEMA] });
      pristine();
    }
  });

  test('Names of prototype properties cannot be defined as attributes.', () => {
    for (const name of [...hostile, 'VALUEOF', 'not', '1a', 'a b', "a'", '']) {
      const definition = { id: 'urn:example:x', name: 'X', attributes: [{ name }] };
      expect([name, failure(() => registry.withExtension(definition, { resourceType: 'User' }))]).toEqual([
        name,
        'invalidValue',
      ]);
    }
  });
});
