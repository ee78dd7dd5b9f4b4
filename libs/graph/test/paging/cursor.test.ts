import { describe, expect, test } from '@jest/globals';
import { GraphQLError } from 'graphql';
import { type CursorValue, decodeCursor, encodeCursor } from '../../src/index.ts';

const codeOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error instanceof GraphQLError ? error.extensions.code : error;
  }
};

describe('cursors', () => {
  test.each<[CursorValue]>([['a'], [5], [null], [['Zoë', 'id-1']], [[true, 0, null]]])(
    'The cursor value %j is decoded as it was encoded.',
    (value) => {
      expect(decodeCursor('users', encodeCursor('users', value))).toEqual(value);
    },
  );

  test.each([
    ['empty', ''],
    ['not base64url', '!!'],
    ['not JSON', Buffer.from('x').toString('base64url')],
    ['of another list', encodeCursor('groups', 'a')],
    ['with something nested', Buffer.from('["users",{"a":1}]').toString('base64url')],
    ['with something deeper', Buffer.from('["users",[["a"]]]').toString('base64url')],
    ['another spelling of a good one', `${encodeCursor('users', 'a')}=`],
    ['with spaces inside', Buffer.from('["users", "a"]').toString('base64url')],
    ['huge', encodeCursor('users', 'a'.repeat(10_000))],
  ])('A cursor that is %s is BAD_USER_INPUT.', (_name, cursor) => {
    expect(codeOf(() => decodeCursor('users', cursor))).toBe('BAD_USER_INPUT');
  });

  test('A cursor with the wrong sort key is BAD_USER_INPUT.', () => {
    const isPair = (value: CursorValue): value is [string, string] =>
      Array.isArray(value) && value.length === 2;
    expect(codeOf(() => decodeCursor('users', encodeCursor('users', 'a'), isPair))).toBe('BAD_USER_INPUT');
    expect(decodeCursor('users', encodeCursor('users', ['a', 'b']), isPair)).toEqual(['a', 'b']);
  });
});
