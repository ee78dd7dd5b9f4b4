import { describe, expect, test } from '@jest/globals';
import { bindFilter, compileCandidates, parseFilter, type SqlMapping } from '../../src/index.ts';
import { registry } from '../support/arbitraries.ts';

const mapping: SqlMapping = {
  data: 'u.data',
  folded: 'u.folded',
  firstParameter: 2,
  attributes: {
    id: { column: 'u.id', type: 'uuid', ordered: 'unique' },
    userName: { column: 'u.user_name', folded: 'u.user_name_key', ordered: 'unique' },
    'meta.lastModified': { column: 'u.updated_at', ordered: 'repeated' },
    externalId: { column: `u.external_ids ->> 'crm'`, sample: (value) => ({ externalIds: { crm: value } }) },
    groups: {
      from: 'memberships m',
      where: 'm.user_id = u.id',
      columns: {},
      owners: (value, bind) => `u.id IN (SELECT user_id FROM memberships WHERE group_id = ${bind(value)})`,
    },
  },
  indexes: {
    scope: 'u.tenant = $1',
    contains: (sample, bind) => `u.folded @> ${bind(JSON.stringify(sample))}`,
    selective: new Set(['emails.value']),
    textScope: 'u.t = $1',
    text: ({ attribute }) => (attribute.name === 'photos' ? undefined : 'u.text'),
  },
};
const candidates = (filter: string) =>
  compileCandidates(bindFilter(parseFilter(filter), registry, 'User'), mapping);

describe('candidates come from the most selective index', () => {
  test.each([
    ['userName eq "A"', '(u.tenant = $1 AND u.user_name_key COLLATE "C" = (SELECT $2::text))', ['a']],
    [
      'active eq true and title co "boss" and userName eq "A"',
      '(u.tenant = $1 AND u.user_name_key COLLATE "C" = (SELECT $2::text))',
      ['a'],
    ],
    ['externalId eq "X"', 'u.folded @> $2', ['{"externalIds":{"crm":"X"}}']],
    [
      'emails[type eq "Work" and value eq "A@b" and display co "x"]',
      'u.folded @> $2',
      ['{"emails":[{"type":"work","value":"a@b"}]}'],
    ],
    ['title co "Boss"', '(u.t = $1 AND u.text LIKE (SELECT $2::text))', ['%boss%']],
    ['title sw "Bo\\""', '(u.t = $1 AND u.text LIKE (SELECT $2::text))', ['%"bo\\\\"%']],
    ['emails ew "%com"', '(u.t = $1 AND u.text LIKE (SELECT $2::text))', ['%\\%com"%']],
    [
      'userName sw "a"',
      '(u.tenant = $1 AND u.user_name_key COLLATE "C" >= (SELECT $2::text) AND u.user_name_key COLLATE "C" < (SELECT $3::text))',
      ['a', 'b'],
    ],
    [
      'meta.lastModified ge "2024-01-01T00:00:00Z" and title pr and meta.lastModified lt "2025-01-01T00:00:00Z"',
      '(u.tenant = $1 AND u.updated_at >= (SELECT $2::timestamptz) AND u.updated_at < (SELECT $3::timestamptz))',
      ['2024-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z'],
    ],
    [
      'userName eq "a" or externalId eq "b"',
      '((u.tenant = $1 AND u.user_name_key COLLATE "C" = (SELECT $2::text)) OR u.folded @> $3)',
      ['a', '{"externalIds":{"crm":"b"}}'],
    ],
    [
      'groups[type eq "direct" and value eq "0197a1b2-0000-7000-8000-000000000001"]',
      'u.id IN (SELECT user_id FROM memberships WHERE group_id = $2)',
      ['0197a1b2-0000-7000-8000-000000000001'],
    ],
    ['groups eq "42"', 'FALSE', []],
  ])('The filter %s takes its candidates from the most selective index.', (filter, text, values) => {
    expect(candidates(filter)).toMatchObject({ text, values });
  });

  test.each([
    'active eq true',
    'userName ne "a"',
    'not (userName eq "a")',
    'title pr',
    'title co "ab"',
    'title co "a%b"',
    'title sw "a"',
    'title gt "a"',
    'id gt "a"',
    'photos.value co "abc"',
    'groups.display co "abc"',
    'emails[primary eq false]',
    'userName eq "a" or title pr',
    Array.from({ length: 201 }, (_, i) => `userName eq "${i}"`).join(' or '),
  ])('No index gives candidates for the filter %.60s.', (filter) => {
    expect(candidates(filter)).toBeUndefined();
  });

  test('An id that is not a UUID leaves no candidates.', () => {
    expect(candidates('id eq "42"')?.text).toBe('FALSE');
  });

  test('Few candidates are expected for identifiers only.', () => {
    expect(candidates('emails.value eq "a"')?.selective).toBe(true);
    expect(candidates('emails.type eq "work"')?.selective).toBe(false);
    expect(candidates('userName eq "a" or title eq "b"')?.selective).toBe(false);
  });
});
