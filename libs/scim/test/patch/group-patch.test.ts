import { describe, expect, test } from '@jest/globals';
import { expectCpuBelow } from '../../../service/test/support/cpu-time.ts';
import {
  applyPatch,
  coreRegistry,
  GROUP_SCHEMA,
  type JsonValue,
  parseOperations,
  partitionPatch,
  planGroupPatch,
  printPath,
  ScimError,
  USER_SCHEMA,
} from '../../src/index.ts';

const registry = coreRegistry();

function plan(...operations: Record<string, JsonValue>[]) {
  const { attributes, members } = planGroupPatch(parseOperations(operations), registry);
  return {
    attributes: attributes.map(({ path, ...rest }) =>
      path === undefined ? rest : { ...rest, path: printPath(path) },
    ),
    members,
  };
}

function failure(...operations: Record<string, JsonValue>[]): string | undefined {
  try {
    plan(...operations);
  } catch (error) {
    if (error instanceof ScimError) return error.scimType;
    throw error;
  }
  return 'no error';
}

describe('member changes without the member list', () => {
  test.each<[Record<string, JsonValue>, { op: string; ids: string[] }[]]>([
    [
      { op: 'add', path: 'members', value: [{ value: 'a' }, { value: 'b' }, { value: 'a' }] },
      [{ op: 'add', ids: ['a', 'b'] }],
    ],
    [
      { op: 'add', path: 'members', value: { value: 'a', $ref: '../Users/a', display: 'A' } },
      [{ op: 'add', ids: ['a'] }],
    ],
    [{ op: 'add', path: 'MEMBERS', value: [] }, []],
    [{ op: 'add', path: `${GROUP_SCHEMA}:members`, value: [{ VALUE: 'a' }] }, [{ op: 'add', ids: ['a'] }]],
    [{ op: 'add', value: { Members: [{ value: 'a' }] } }, [{ op: 'add', ids: ['a'] }]],
    [{ op: 'add', path: 'members[value eq "a"]', value: { value: 'a' } }, [{ op: 'add', ids: ['a'] }]],
    [{ op: 'replace', path: 'members', value: [{ value: 'a' }] }, [{ op: 'replace', ids: ['a'] }]],
    [{ op: 'replace', path: 'members', value: [] }, [{ op: 'clear', ids: [] }]],
    [{ op: 'replace', path: 'members', value: null }, [{ op: 'clear', ids: [] }]],
    [{ op: 'replace', value: { members: [] } }, [{ op: 'clear', ids: [] }]],
    [{ op: 'remove', path: 'members' }, [{ op: 'clear', ids: [] }]],
    [{ op: 'remove', path: 'members[value eq "a"]' }, [{ op: 'remove', ids: ['a'] }]],
    [{ op: 'remove', path: 'members[value eq "a" or value eq "b"]' }, [{ op: 'remove', ids: ['a', 'b'] }]],
  ])('The member changes of %j are planned without the member list.', (operation, members) => {
    expect(plan(operation)).toEqual({ attributes: [], members });
  });

  test('Member changes stay in order, adjacent ones of a kind are merged, and a replacement discards earlier ones.', () => {
    const add = (id: string) => ({ op: 'add', path: 'members', value: [{ value: id }] });
    const remove = (id: string) => ({ op: 'remove', path: `members[value eq "${id}"]` });
    expect(plan(add('a'), add('b'), remove('c'), remove('a'), add('a')).members).toEqual([
      { op: 'add', ids: ['a', 'b'] },
      { op: 'remove', ids: ['c', 'a'] },
      { op: 'add', ids: ['a'] },
    ]);
    expect(
      plan(add('a'), { op: 'replace', path: 'members', value: [{ value: 'b' }] }, add('c')).members,
    ).toEqual([
      { op: 'replace', ids: ['b'] },
      { op: 'add', ids: ['c'] },
    ]);
  });

  test('Changes of other attributes are left to applyPatch.', () => {
    const operations = parseOperations([
      { op: 'replace', value: { displayName: 'New', members: [{ value: 'a' }], unknown: 1 } },
      { op: 'replace', path: 'externalId', value: 'x' },
    ]);
    const { attributes, members } = planGroupPatch(operations, registry);
    expect(members).toEqual([{ op: 'replace', ids: ['a'] }]);
    const group = { schemas: [GROUP_SCHEMA], id: 'g', displayName: 'Old' };
    expect(applyPatch(group, attributes, registry, 'Group').resource).toEqual({
      ...group,
      displayName: 'New',
      externalId: 'x',
    });
  });

  test.each<[string, Record<string, JsonValue>]>([
    // Values where RFC 7644 defines none must never select all members.
    ['invalidValue', { op: 'remove', path: 'members', value: [{ value: 'a' }] }],
    ['invalidValue', { op: 'add', path: 'members', value: ['a'] }],
    ['invalidValue', { op: 'add', path: 'members', value: [{ display: 'A' }] }],
    ['invalidValue', { op: 'add', path: 'members', value: [{ value: 7 }] }],
    ['invalidValue', { op: 'add', path: 'members', value: [{ value: '' }] }],
    ['mutability', { op: 'replace', path: 'members[value eq "a"].value', value: 'b' }],
    ['mutability', { op: 'replace', path: 'members[value eq "a"]', value: { value: 'b' } }],
    ['mutability', { op: 'add', path: 'members[value eq "a"]', value: { value: 'b' } }],
    ['mutability', { op: 'replace', path: 'members[value eq "a"].display', value: 'b' }],
    ['mutability', { op: 'remove', path: 'members.value' }],
    ['invalidFilter', { op: 'remove', path: 'members[type eq "User"]' }],
    ['invalidFilter', { op: 'remove', path: 'members[value sw "a"]' }],
    ['invalidFilter', { op: 'remove', path: 'members[not (value eq "a")]' }],
    ['invalidPath', { op: 'remove', path: 'members[unknown eq "a"]' }],
    ['invalidPath', { op: 'replace', path: 'unknown', value: 1 }],
  ])('A group PATCH is rejected with %s: %j.', (scimType, operation) => {
    expect(failure(operation)).toBe(scimType);
  });

  test('100,000 members in one request are planned in linear time.', async () => {
    const value = Array.from({ length: 100_000 }, (_, index) => ({ value: `m${index}` }));
    await expectCpuBelow(5_000, () => {
      expect(plan({ op: 'add', path: 'members', value }).members[0]?.ids).toHaveLength(100_000);
    });
  });
});

test('The operations on one attribute are found in every notation.', () => {
  const operations = parseOperations([
    { op: 'replace', value: { PASSWORD: 'a', active: true } },
    { op: 'add', path: 'password', value: 'b' },
    { op: 'replace', value: { [`${USER_SCHEMA}:password`]: 'c' } },
    { op: 'replace', path: 'nickName', value: 'x' },
  ]);
  const { selected, rest } = partitionPatch(operations, registry, 'User', 'password');
  expect(selected.map(({ value }) => value)).toEqual(['a', 'b', 'c']);
  expect(rest.map(({ op, value }) => ({ op, value }))).toEqual([
    { op: 'replace', value: { active: true } },
    { op: 'replace', value: 'x' },
  ]);
});
