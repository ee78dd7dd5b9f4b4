import { describe, expect, test } from '@jest/globals';
import { GraphQLError } from 'graphql';
import {
  type CursorValue,
  connectionOf,
  encodeCursor,
  type Paging,
  type PagingArguments,
  pagingOf,
  positionOf,
} from '../../src/index.ts';

const refusalOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error instanceof GraphQLError ? [error.extensions.code, error.extensions.argument] : error;
  }
};

describe('paging arguments', () => {
  test.each<[string, PagingArguments, Paging]>([
    ['nothing is the first page', {}, { limit: 20, direction: 'forward' }],
    [
      'null says the same as nothing',
      { first: null, after: null, last: null, before: null },
      { limit: 20, direction: 'forward' },
    ],
    ['first', { first: 100 }, { limit: 100, direction: 'forward' }],
    ['first and after', { first: 1, after: 'x' }, { limit: 1, direction: 'forward', cursor: 'x' }],
    ['after alone', { after: 'x' }, { limit: 20, direction: 'forward', cursor: 'x' }],
    ['last is the end of the list', { last: 7 }, { limit: 7, direction: 'backward' }],
    [
      'last and before, with the others null',
      { first: null, after: null, last: 7, before: 'x' },
      { limit: 7, direction: 'backward', cursor: 'x' },
    ],
    ['before alone', { before: 'x' }, { limit: 20, direction: 'backward', cursor: 'x' }],
    ['an empty cursor is one', { last: 7, before: '' }, { limit: 7, direction: 'backward', cursor: '' }],
  ])('The paging arguments are read as a page: %s.', (_name, given, paging) => {
    expect(pagingOf(given)).toEqual(paging);
  });

  test('The default page size does not exceed the maximum.', () => {
    expect(pagingOf({}, 5)).toEqual({ limit: 5, direction: 'forward' });
    expect(pagingOf({ before: 'x' }, 5)).toMatchObject({ limit: 5 });
  });

  test.each([0, -1, 101, 1.5, Number.NaN])(
    'A page size of %s is rejected with the name of the argument.',
    (size) => {
      expect(refusalOf(() => pagingOf({ first: size }))).toEqual(['BAD_USER_INPUT', 'first']);
      expect(refusalOf(() => pagingOf({ last: size }))).toEqual(['BAD_USER_INPUT', 'last']);
    },
  );

  test('The maximum page size of a field applies.', () => {
    expect(pagingOf({ last: 5 }, 5)).toMatchObject({ limit: 5 });
    expect(refusalOf(() => pagingOf({ last: 6 }, 5))).toEqual(['BAD_USER_INPUT', 'last']);
  });

  test.each<[string, PagingArguments, string]>([
    ['first and last', { first: 5, last: 5 }, 'first'],
    ['after and before', { after: 'x', before: 'y' }, 'after'],
    ['first and before', { first: 5, before: 'x' }, 'first'],
    ['last and after', { last: 5, after: 'x' }, 'after'],
    ['all of them', { first: 5, after: 'x', last: 5, before: 'y' }, 'first'],
  ])('Arguments for both directions are rejected: %s.', (_name, given, argument) => {
    expect(refusalOf(() => pagingOf(given))).toEqual(['BAD_USER_INPUT', argument]);
  });
});

describe('positions', () => {
  const isText = (value: CursorValue): value is string => typeof value === 'string';

  test('A cursor is read in either direction, and there is no position without one.', () => {
    const cursor = encodeCursor('users', 'a');
    expect(positionOf({ limit: 1, direction: 'forward', cursor }, 'users', isText)).toBe('a');
    expect(positionOf({ limit: 1, direction: 'backward', cursor }, 'users', isText)).toBe('a');
    expect(positionOf({ limit: 1, direction: 'backward' }, 'users', isText)).toBeUndefined();
  });

  test.each(['', 'x', encodeCursor('groups', 'a'), encodeCursor('users', 1)])(
    'A text that is not a cursor of the list (%j) is rejected with the name of the argument.',
    (cursor) => {
      const read = (direction: Paging['direction']) =>
        refusalOf(() => positionOf({ limit: 1, direction, cursor }, 'users', isText));
      expect(read('forward')).toEqual(['BAD_USER_INPUT', 'after']);
      expect(read('backward')).toEqual(['BAD_USER_INPUT', 'before']);
    },
  );
});

describe('connections', () => {
  const list = ['a', 'b', 'c', 'd', 'e'];

  /** Returns rows as a database would: from the cursor on, one more than the page. */
  function pageOf(given: PagingArguments) {
    const paging = pagingOf(given);
    const inDirection = paging.direction === 'forward' ? list : list.toReversed();
    const start = paging.cursor === undefined ? 0 : inDirection.indexOf(paging.cursor) + 1;
    return connectionOf(inDirection.slice(start, start + paging.limit + 1), paging, (row) => row);
  }

  test.each<[PagingArguments, string, boolean, boolean]>([
    [{ first: 2 }, 'ab', false, true],
    [{ first: 2, after: 'b' }, 'cd', true, true],
    [{ first: 2, after: 'd' }, 'e', true, false],
    [{ first: 5 }, 'abcde', false, false],
    [{ last: 2 }, 'de', true, false],
    [{ last: 2, before: 'd' }, 'bc', true, true],
    [{ last: 2, before: 'b' }, 'a', false, true],
    [{ last: 5 }, 'abcde', false, false],
    [{ last: 2, before: 'a' }, '', false, true],
  ])(
    'A connection with %j returns %s in the order of the list.',
    (given, nodes, hasPreviousPage, hasNextPage) => {
      expect(pageOf(given)).toEqual({
        edges: [...nodes].map((node) => ({ cursor: node, node })),
        pageInfo: {
          hasNextPage,
          hasPreviousPage,
          startCursor: nodes.at(0) ?? null,
          endCursor: nodes.at(-1) ?? null,
        },
      });
    },
  );

  test('Paging backward returns the same edges as paging forward.', () => {
    const forward = pageOf({ first: 2, after: pageOf({ first: 2 }).pageInfo.endCursor });
    const back = pageOf({ last: 2, before: forward.pageInfo.startCursor });
    expect(back.edges).toEqual(pageOf({ first: 2 }).edges);
  });
});
