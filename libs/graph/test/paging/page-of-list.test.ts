import { describe, expect, test } from '@jest/globals';
import { pageOfList } from '../../src/index.ts';

const list = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }));
const page = (input: Parameters<typeof pageOfList>[0], of = list, kind = 'letters') =>
  pageOfList(input, { kind, list: of, keyOf: ({ id }) => id });
const idsOf = ({ edges }: ReturnType<typeof page>): string => edges.map(({ node }) => node.id).join('');

describe('pages of a list that is loaded completely', () => {
  test('Pages in either direction contain each entry once, in the order of the list.', async () => {
    const first = page({ first: 2 });
    const second = page({ first: 2, after: first.pageInfo.endCursor });
    const third = page({ first: 2, after: second.pageInfo.endCursor });
    expect([first, second, third].map(idsOf)).toEqual(['ab', 'cd', 'e']);
    expect([first, second, third].map(({ pageInfo }) => pageInfo.hasNextPage)).toEqual([true, true, false]);
    const last = page({ last: 2 });
    const before = page({ last: 2, before: last.pageInfo.startCursor });
    expect([idsOf(before), idsOf(last)]).toEqual(['bc', 'de']);
    expect([before, last].map(({ pageInfo }) => pageInfo.hasPreviousPage)).toEqual([true, true]);
    expect(await first.totalCount()).toBe(5);
  });

  test('After the entry of a cursor is deleted, the next page starts with the entry that followed it.', () => {
    const { endCursor } = page({ first: 2 }).pageInfo;
    const { startCursor } = page({ last: 3 }).pageInfo;
    const without = (id: string) => list.filter((entry) => entry.id !== id);
    expect(idsOf(page({ first: 2, after: endCursor }, without('b')))).toBe('cd');
    expect(idsOf(page({ last: 2, before: startCursor }, without('c')))).toBe('ab');
  });

  test('A cursor of another list, and arguments that contradict each other, are rejected.', () => {
    const { endCursor } = page({ first: 2 }).pageInfo;
    expect(() => page({ after: endCursor }, list, 'others')).toThrow('not a cursor of this list');
    expect(() => page({ first: 1, last: 1 })).toThrow('cannot be combined');
    expect(() => page({ first: 101 })).toThrow('between 1 and 100');
  });
});
