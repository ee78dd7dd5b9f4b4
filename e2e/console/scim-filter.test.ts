import { describe, expect, test } from '@jest/globals';
import { adviceOn } from '../../console/src/sources/requests/advice.ts';
import {
  attributes,
  type Conditions,
  conditionsOf,
  filterText,
  operatorsFor,
} from '../../console/src/users/list/scim-filter.ts';

describe('filter builder', () => {
  test.each<[string, Conditions]>([
    ['', { join: 'and', conditions: [] }],
    [
      'userName sw "al"',
      { join: 'and', conditions: [{ attribute: 'userName', operator: 'sw', value: 'al' }] },
    ],
    [
      'active eq false',
      { join: 'and', conditions: [{ attribute: 'active', operator: 'eq', value: 'false' }] },
    ],
    ['title pr', { join: 'and', conditions: [{ attribute: 'title', operator: 'pr', value: '' }] }],
    [
      'emails.value ew "@acme.test" or displayName co "say \\"hi\\" (\\\\o/) and more"',
      {
        join: 'or',
        conditions: [
          { attribute: 'emails.value', operator: 'ew', value: '@acme.test' },
          { attribute: 'displayName', operator: 'co', value: 'say "hi" (\\o/) and more' },
        ],
      },
    ],
    [
      'meta.created gt "2026-01-01T00:00:00Z" and title pr and active ne true',
      {
        join: 'and',
        conditions: [
          { attribute: 'meta.created', operator: 'gt', value: '2026-01-01T00:00:00Z' },
          { attribute: 'title', operator: 'pr', value: '' },
          { attribute: 'active', operator: 'ne', value: 'true' },
        ],
      },
    ],
  ])('The filter %j and its conditions are converted into each other.', (text, conditions) => {
    expect(conditionsOf(text)).toEqual(conditions);
    expect(filterText(conditions)).toBe(text);
  });

  test('Operators are read in any case, and white space is ignored.', () => {
    expect(conditionsOf('  userName   EQ "a"  AND title PR ')).toEqual({
      join: 'and',
      conditions: [
        { attribute: 'userName', operator: 'eq', value: 'a' },
        { attribute: 'title', operator: 'pr', value: '' },
      ],
    });
  });

  test.each([
    'title pr and active eq true or userName sw "a"',
    '(title pr)',
    'not (title pr)',
    'emails[type eq "work"]',
    'title pr and',
    'title',
    'title is "a"',
    'title eq',
    'title eq 5',
    'title eq "a',
    'title eq "\\x"',
    '"title" eq "a"',
    'title pr xor active pr',
  ])('The builder leaves the filter %j to the text field.', (text) => {
    expect(conditionsOf(text)).toBeUndefined();
  });

  test('A condition without a value is left out of the text.', () => {
    const conditions = [
      { attribute: 'userName', operator: 'sw', value: '' },
      { attribute: 'title', operator: 'pr', value: '' },
    ] as const;
    expect(filterText({ join: 'or', conditions })).toBe('title pr');
  });

  test('Each attribute of the builder is read back with each operator that it offers.', () => {
    for (const { path, kind } of attributes)
      for (const operator of operatorsFor(kind)) {
        const value = operator === 'pr' ? '' : kind === 'boolean' ? 'true' : 'x "y"';
        const built = { join: 'and', conditions: [{ attribute: path, operator, value }] } as const;
        expect(conditionsOf(filterText(built))).toEqual(built);
      }
  });
});

describe('advice on rejected requests of an identity source', () => {
  test.each([
    [{ status: 200, scimType: null }, undefined],
    [{ status: 304, scimType: 'uniqueness' }, undefined],
    [{ status: 409, scimType: 'uniqueness' }, 'uniqueness'],
    [{ status: 400, scimType: 'invalidFilter' }, 'filter'],
    [{ status: 400, scimType: 'invalidSyntax' }, 'syntax'],
    [{ status: 400, scimType: 'invalidPath' }, 'path'],
    [{ status: 400, scimType: 'noTarget' }, 'path'],
    [{ status: 400, scimType: 'invalidValue' }, 'value'],
    [{ status: 400, scimType: 'mutability' }, 'mutability'],
    [{ status: 400, scimType: 'tooMany' }, 'tooMany'],
    [{ status: 400, scimType: 'invalidVers' }, 'syntax'],
    [{ status: 400, scimType: 'ofTheFuture' }, 'syntax'],
    [{ status: 400, scimType: null }, 'syntax'],
    [{ status: 401, scimType: null }, 'unauthorized'],
    [{ status: 403, scimType: null }, 'forbidden'],
    [{ status: 404, scimType: null }, 'missing'],
    [{ status: 409, scimType: null }, 'conflict'],
    [{ status: 412, scimType: null }, 'version'],
    [{ status: 413, scimType: null }, 'large'],
    [{ status: 429, scimType: null }, 'limited'],
    [{ status: 418, scimType: null }, 'unknown'],
    [{ status: 503, scimType: 'uniqueness' }, 'ours'],
  ] as const)('The response %j has the advice %s.', (response, advice) => {
    expect(adviceOn(response)).toBe(advice);
  });
});
