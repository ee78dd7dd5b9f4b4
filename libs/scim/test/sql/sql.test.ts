import { describe, expect, test } from '@jest/globals';
import {
  bindFilter,
  bindSortBy,
  compileSortKey,
  compileSql,
  parseFilter,
  type SqlMapping,
} from '../../src/index.ts';
import { extensionSchema, registry } from '../support/arbitraries.ts';

const mapping: SqlMapping = {
  data: 'u.data',
  attributes: {
    id: { column: 'u.id', type: 'uuid' },
    userName: { column: 'u.user_name', folded: 'u.user_name_key' },
    active: { column: 'u.active' },
    externalId: {
      column: (bind) => `(u.external_ids ->> ${bind('crm')})`,
      equals: (value, bind) => `u.external_ids @> ${bind(JSON.stringify({ crm: value }))}::jsonb`,
    },
    groups: {
      from: 'memberships m',
      where: 'm.user_id = u.id',
      columns: { value: { column: 'm.group_id', type: 'uuid' } },
    },
  },
};

const compile = (filter: string, o: Partial<SqlMapping> = {}) =>
  compileSql(bindFilter(parseFilter(filter), registry, 'User'), { ...mapping, ...o });

describe('conditions that an index can serve', () => {
  test.each([
    ['userName eq "BJensen"', 'u.user_name_key = $1', ['bjensen']],
    ['userName sw "B_"', 'u.user_name_key LIKE $1', ['b\\_%']],
    ['active eq true', 'u.active = TRUE', []],
    [
      'id eq "0197a1b2-0000-7000-8000-000000000001"',
      'u.id = $1::uuid',
      ['0197a1b2-0000-7000-8000-000000000001'],
    ],
    ['externalId eq "X"', 'u.external_ids @> $1::jsonb', ['{"crm":"X"}']],
    ['externalId sw "X"', '(u.external_ids ->> $1) LIKE $2', ['crm', 'X%']],
    ['schemas eq "urn:x"', 'u.data @> $1::jsonb', ['{"schemas":["urn:x"]}']],
    ['emails.primary eq true', 'u.data @> $1::jsonb', ['{"emails":[{"primary":true}]}']],
    [
      'groups.value eq "0197a1b2-0000-7000-8000-000000000001"',
      'EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id AND m.group_id = $1::uuid)',
      ['0197a1b2-0000-7000-8000-000000000001'],
    ],
  ])('The filter %s compiles to a condition that an index can serve.', (filter, text, values) => {
    expect(compile(filter)).toEqual({ text, values });
  });

  test('With a folded document, every equality compiles to one containment.', () => {
    expect(compile('emails[type eq "Work" and value eq "B@Example.com"]', { folded: 'u.search' })).toEqual({
      text: 'u.search @> $1::jsonb',
      values: ['{"emails":[{"type":"work","value":"b@example.com"}]}'],
    });
    expect(compile('name.givenName eq "B"', { folded: 'u.search' }).values).toEqual([
      '{"name":{"givenName":"b"}}',
    ]);
  });
});

test('An id that is not a UUID causes no error and matches nothing.', () => {
  expect(compile('id eq "42"').text).toBe('FALSE');
  expect(compile('id ne "42"').text).toBe('(FALSE) IS NOT TRUE');
  expect(compile('id eq "0197A1B2-0000-7000-8000-000000000001"').text).toBe('FALSE');
});

test('Placeholders start at the given number.', () => {
  expect(compile('userName eq "a" or userName eq "b"', { firstParameter: 4 })).toEqual({
    text: '(u.user_name_key = $4 OR u.user_name_key = $5)',
    values: ['a', 'b'],
  });
});

test('No part of a value becomes part of the SQL text.', () => {
  const value = JSON.stringify(`zq'"\\%_;--$1`);
  const paths = [
    'userName',
    'title',
    'externalId',
    'id',
    'emails',
    'emails.value',
    'groups.value',
    'schemas',
    'profileUrl',
    `${extensionSchema.id}:tags`,
  ];
  const filters = paths.flatMap((path) =>
    ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'].flatMap((operator) => [
      `${path} ${operator} ${value}`,
      `not (${path} ${operator} ${value})`,
    ]),
  );
  for (const filter of [...filters, `emails[value eq ${value} or type co ${value}]`]) {
    for (const folded of ['u.search', undefined]) {
      expect(compile(filter, folded === undefined ? {} : { folded }).text).not.toContain('zq');
    }
  }
});

test('Sort keys use the folded column, and the primary element of multi-valued attributes.', () => {
  const key = (sortBy: string) => compileSortKey(bindSortBy(sortBy, registry, 'User'), mapping).text;
  expect(key('userName')).toBe('u.user_name_key COLLATE "C"');
  expect(key('active')).toBe('u.active');
  expect(key('emails')).toContain('@.primary == true');
  expect(key('groups')).toBe('NULL::text');
});
