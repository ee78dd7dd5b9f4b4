import { expect, test } from '@jest/globals';
import { failedFields } from '../../src/subgraphs/graph/failed-fields.ts';

const query = `query ($representations: [_Any!]!) {
  _entities(representations: $representations) { ... on User { a b: c ...F } ... on Group { g } } } fragment F on User { d }`;
const failed = (count: number) => {
  const representations = Array.from({ length: count }, (_, id) => ({ __typename: 'User', id }));
  return failedFields({ query, variables: { representations } }, 'SERVICE_UNAVAILABLE');
};

test('Each field that a service failed to resolve has an error with its path.', () => {
  expect(failed(2).map(({ path }) => path?.slice(1).join('.'))).toEqual([
    '0.a',
    '0.b',
    '0.d',
    '1.a',
    '1.b',
    '1.d',
  ]);
  expect(failed(0)).toEqual([expect.not.objectContaining({ path: expect.anything() })]);
});

test('Errors of too many failed fields end with one error without a path, which states that more fields failed.', () => {
  const errors = failed(200);
  expect(errors).toHaveLength(501);
  expect(errors.slice(0, 500).every(({ path }) => path !== undefined)).toBe(true);
  expect(errors[500]).toEqual({ message: errors[0]?.message, extensions: { code: 'SERVICE_UNAVAILABLE' } });
});
