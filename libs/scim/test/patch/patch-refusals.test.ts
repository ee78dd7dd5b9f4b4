import { describe, expect, test } from '@jest/globals';
import {
  applyPatch,
  ENTERPRISE_USER_SCHEMA,
  PATCH_OP,
  parseOperations,
  parsePatch,
  type Resource,
  readPatchMessage,
  type ScimError,
  USER_SCHEMA,
} from '../../src/index.ts';
import { registry } from '../support/arbitraries.ts';
import { barbara, failure, type Operation } from '../support/barbara.ts';

describe('rejected operations', () => {
  test.each<[string, Operation]>([
    ['mutability', { op: 'replace', path: 'id', value: 'x' }],
    ['mutability', { op: 'remove', path: 'id' }],
    ['mutability', { op: 'replace', path: 'meta.version', value: 'x' }],
    ['mutability', { op: 'add', path: 'groups', value: [{ value: 'g2' }] }],
    ['mutability', { op: 'remove', path: 'groups[value eq "g1"]' }],
    ['mutability', { op: 'replace', value: { id: 'x' } }],
    ['mutability', { op: 'replace', path: `${ENTERPRISE_USER_SCHEMA}:manager.displayName`, value: 'x' }],
    ['invalidValue', { op: 'remove', path: 'userName' }],
    ['invalidValue', { op: 'replace', path: 'userName', value: null }],
    ['invalidValue', { op: 'replace', path: 'userName', value: '' }],
    ['invalidValue', { op: 'remove', path: 'schemas' }],
    ['invalidValue', { op: 'add', path: 'schemas', value: ['urn:x'] }],
    ['invalidValue', { op: 'replace', path: 'active', value: 'False' }],
    ['invalidValue', { op: 'replace', path: 'name', value: 'Barbara' }],
    ['invalidValue', { op: 'replace', path: 'name', value: ['Barbara'] }],
    ['invalidValue', { op: 'replace', path: 'nickName', value: ['Babs'] }],
    ['invalidValue', { op: 'replace', path: 'emails', value: 'x' }],
    ['invalidValue', { op: 'replace', path: 'emails[type eq "work"]', value: 'x' }],
    ['invalidValue', { op: 'replace', path: ENTERPRISE_USER_SCHEMA, value: 'x' }],
    ['invalidValue', { op: 'replace', path: 'nickName', value: 'a\u0000' }],
    ['invalidPath', { op: 'replace', path: 'unknown', value: 1 }],
    ['invalidPath', { op: 'replace', path: 'name.unknown', value: 1 }],
    ['invalidPath', { op: 'replace', path: 'employeeNumber', value: '1' }],
    ['invalidPath', { op: 'replace', path: 'urn:x:y:employeeNumber', value: '1' }],
    ['invalidPath', { op: 'replace', path: 'emails[unknown eq "x"]', value: {} }],
    ['invalidPath', { op: 'replace', path: 'emails[type eq "x"].unknown', value: {} }],
    ['invalidPath', { op: 'replace', path: 'name[givenName eq "x"]', value: {} }],
    ['invalidPath', { op: 'replace', path: 'emails[0]', value: {} }],
    ['invalidPath', { op: 'replace', path: '', value: {} }],
    ['invalidValue', { op: 'replace', path: 7, value: {} }],
    ['invalidFilter', { op: 'remove', path: 'emails[primary gt true]' }],
    ['invalidFilter', { op: 'remove', path: 'emails[value eq 1]' }],
    ['noTarget', { op: 'remove' }],
    ['invalidValue', { op: 'remove', path: 'emails', value: [{ value: 'home@example.com' }] }],
    ['invalidValue', { op: 'add', path: 'nickName' }],
    ['invalidValue', { op: 'add', value: 'x' }],
    ['invalidValue', { op: 'add', value: null }],
    ['invalidSyntax', { op: 'Replace', path: 'active', value: false }],
    ['invalidSyntax', { op: 'move', path: 'active', value: false }],
    ['invalidSyntax', { path: 'active', value: false }],
    ['invalidSyntax', { op: 'replace', OP: 'add', path: 'active', value: false }],
  ])('A PATCH is rejected with %s: %j.', (scimType, operation) => {
    // The valid operation before it has no effect either: there is no result.
    expect(failure({ op: 'replace', path: 'nickName', value: 'Babs' }, operation)).toBe(scimType);
  });

  test('Immutable values can be set once.', () => {
    const custom = registry.withExtension(
      {
        id: 'urn:example:badge',
        name: 'Badge',
        attributes: [
          { name: 'serial', mutability: 'immutable' },
          {
            name: 'cards',
            type: 'complex',
            multiValued: true,
            subAttributes: [{ name: 'value', mutability: 'immutable' }, { name: 'display' }],
          },
        ],
      },
      { resourceType: 'User' },
    );
    const run = (resource: Resource, ...operations: Operation[]) =>
      applyPatch(resource, parseOperations(operations), custom, 'User').resource;
    const set = run(
      barbara,
      { op: 'add', path: 'urn:example:badge:serial', value: '1' },
      { op: 'add', path: 'urn:example:badge:cards', value: [{ value: 'c' }] },
    );
    expect(run(set, { op: 'replace', path: 'urn:example:badge:serial', value: '1' })).toBe(set);
    expect(
      run(set, { op: 'add', path: 'urn:example:badge:cards', value: [{ value: 'c', display: 'C' }] })[
        'urn:example:badge'
      ],
    ).toEqual({
      serial: '1',
      cards: [{ value: 'c', display: 'C' }],
    });
    const mutability = expect.objectContaining({ scimType: 'mutability' });
    for (const operation of [
      { op: 'replace', path: 'urn:example:badge:serial', value: '2' },
      { op: 'remove', path: 'urn:example:badge:serial' },
      { op: 'remove', path: 'urn:example:badge' },
      { op: 'replace', path: 'urn:example:badge:cards[value eq "c"].value', value: 'd' },
      { op: 'replace', path: 'urn:example:badge:cards[value eq "c"]', value: { value: 'd' } },
      { op: 'remove', path: 'urn:example:badge:cards.value' },
    ]) {
      expect(() => run(set, operation)).toThrow(mutability as unknown as Error);
    }
    expect(
      run(set, { op: 'remove', path: 'urn:example:badge:cards[value eq "c"]' })['urn:example:badge'],
    ).toEqual({ serial: '1' });
  });
});

describe('the PATCH message', () => {
  const operation = { op: 'replace', path: 'active', value: false };

  test('A PATCH message needs its schema and operations, and its names are case-insensitive.', () => {
    expect(parsePatch({ schemas: [PATCH_OP], operations: [operation] })).toHaveLength(1);
    for (const body of [
      null,
      [],
      'x',
      {},
      { schemas: [PATCH_OP] },
      { schemas: PATCH_OP, Operations: [operation] },
      { schemas: [USER_SCHEMA], Operations: [operation] },
      { schemas: [PATCH_OP], Operations: [] },
      { schemas: [PATCH_OP], Operations: operation },
      { schemas: [PATCH_OP], Operations: ['x'] },
      { schemas: [PATCH_OP], Operations: [operation], operations: [operation] },
    ]) {
      expect(() => parsePatch(body)).toThrow(
        expect.objectContaining({ scimType: 'invalidSyntax' }) as unknown as Error,
      );
    }
  });

  test('The error of a PATCH message states which operation is wrong and how.', () => {
    const refusalOf = (...operations: unknown[]) => {
      try {
        readPatchMessage({ schemas: [PATCH_OP], Operations: operations });
      } catch (error) {
        const { scimType, detail } = error as ScimError;
        return { scimType, detail };
      }
      return undefined;
    };
    expect(refusalOf(operation, { op: 'Move' })).toEqual({
      scimType: 'invalidSyntax',
      detail: 'Operations[1].op must be "add", "remove" or "replace", not "Move".',
    });
    expect(refusalOf({ ...operation, path: 7 })).toEqual({
      scimType: 'invalidValue',
      detail: 'Operations[0].path must be a string.',
    });
    expect(refusalOf(operation, { op: 'add', OP: 'add' })).toEqual({
      scimType: 'invalidSyntax',
      detail: '"OP" is given twice.',
    });
  });

  test('A PATCH message is read in deviating client notation where that is permitted.', () => {
    const message = {
      schemas: [PATCH_OP],
      Operations: [{ op: 'Replace', path: '', value: { active: false } }],
    };
    expect(readPatchMessage(message, { anyCaseOperations: true, emptyPathIsAbsent: true })).toEqual([
      { op: 'replace', value: { active: false } },
    ]);
    expect(() => readPatchMessage(message)).toThrow('not "Replace"');
  });

  test('A PATCH message has a bounded number of operations.', () => {
    const body = { schemas: [PATCH_OP], Operations: Array(1001).fill(operation) };
    expect(() => parsePatch(body)).toThrow(expect.objectContaining({ status: 413 }) as unknown as Error);
    expect(parsePatch(body, { maxOperations: 2000 })).toHaveLength(1001);
  });
});

describe('the amount of work', () => {
  const many = (count: number, prefix = 'e') =>
    Array.from({ length: count }, (_, index) => ({ value: `${prefix}${index}@example.com` }));
  /** A user with many addresses that counts how often one of them is read. */
  class Crowded {
    reads = 0;
    readonly resource: Resource = {
      ...barbara,
      emails: many(10_000).map(({ value }) => this.#counted(value)),
    };

    #counted(value: string): { readonly value: string } {
      const count = (): void => {
        this.reads += 1;
      };
      return {
        get value() {
          count();
          return value;
        },
      };
    }
  }
  const terms = Array.from({ length: 200 }, (_, index) => `value co "zz${index}"`).join(' or ');

  test.each<[string, Operation[]]>([
    [
      'long filters over many values',
      Array.from({ length: 100 }, () => ({
        op: 'replace',
        path: `emails[${terms} or value eq "e1@example.com"].display`,
        value: 'x',
      })),
    ],
    [
      'many small additions',
      Array.from({ length: 1_000 }, (_, index) => ({
        op: 'add',
        path: 'emails',
        value: many(1, `n${index}-`),
      })),
    ],
    [
      'one operation without a path that is many',
      [
        {
          op: 'replace',
          value: Object.fromEntries(
            Array.from({ length: 5_000 }, (_, index) => [
              `emails[value eq "e${index}@example.com"].display`,
              'x',
            ]),
          ),
        },
      ],
    ],
  ])(
    'A PATCH with excessive work is rejected with 413 before it delays other requests: %s.',
    (_name, operations) => {
      const crowded = new Crowded();
      expect(() => applyPatch(crowded.resource, parseOperations(operations), registry, 'User')).toThrow(
        expect.objectContaining({ status: 413 }),
      );
      // Some tenths of a second of CPU.
      expect(crowded.reads).toBeLessThan(3_000_000);
    },
  );

  test('A PATCH with the amount of work of a legitimate client is applied.', () => {
    const operations = Array.from({ length: 1_000 }, (_, index) => ({
      op: 'replace',
      path: `emails[value eq "e${index % 500}@example.com"].display`,
      value: 'x',
    }));
    const { resource } = applyPatch(
      { ...barbara, emails: many(500) },
      parseOperations(operations),
      registry,
      'User',
    );
    expect(resource.emails).toHaveLength(500);
  });
});
