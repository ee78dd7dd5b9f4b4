import { expect, test } from '@jest/globals';
import type { BoundFilter } from '@ostiary/scim';
import { mappingOf } from '../../src/search/data/mapping.ts';
import { estimates, gatherings, walks } from '../../src/search/data/search-examples.ts';

// The statements of searches are checked against the database by these examples, which must cover every part.

const types = ['User', 'Group'] as const;

/** Returns each comparison in a filter, with its attribute. */
function comparisonsIn(filter: BoundFilter, outer = ''): string[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.flatMap((operand) => comparisonsIn(operand, outer));
    case 'not':
      return comparisonsIn(filter.operand, outer);
    case 'element':
      return comparisonsIn(filter.filter, `${filter.target.canonical}.`);
    case 'present':
      return [`${outer}${filter.target.canonical} pr`];
    case 'compare':
      return [`${outer}${filter.target.canonical} ${filter.operator}`];
    default:
      return [];
  }
}

const compared = (type: (typeof types)[number]): Set<string> =>
  new Set(estimates(type).flatMap(({ filter }) => (filter ? comparisonsIn(filter) : [])));

test.each(types)('Examples compare with every attribute of a %s that has a column of its own.', (type) => {
  const attributes =
    mappingOf(type, { tenant: 'demo', source: 'direct', firstParameter: 2 }).attributes ?? {};
  const names = Object.entries(attributes).flatMap(([name, place]) =>
    'columns' in place ? Object.keys(place.columns).map((column) => `${name}.${column}`) : [name],
  );
  const seen = new Set([...compared(type)].map((comparison) => comparison.replace(/ \w+$/, '')));
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !seen.has(name))).toEqual([]);
});

test.each(types)(
  'Examples compare texts, numbers, times and booleans of a %s with every operator.',
  (type) => {
    const seen = compared(type);
    const of = (name: string, operators: string) =>
      operators.split(' ').map((operator) => `urn:example:2.0:Custom:${type}:${name} ${operator}`);
    const wanted = [
      ...['text', 'exact'].flatMap((name) => of(name, 'eq ne co sw ew gt ge lt le pr')),
      ...['number', 'measure', 'at'].flatMap((name) => of(name, 'eq ne gt ge lt le pr')),
      ...of('flag', 'eq ne pr'),
    ];
    expect(wanted.filter((comparison) => !seen.has(comparison))).toEqual([]);
  },
);

test.each(types)('Examples walk over the %ss in the order of every index, in both directions.', (type) => {
  const attributes =
    mappingOf(type, { tenant: 'demo', source: 'direct', firstParameter: 2 }).attributes ?? {};
  const ordered = Object.entries(attributes).flatMap(([name, place]) =>
    'ordered' in place && place.ordered !== undefined ? [name] : [],
  );
  const walked = new Set(
    walks(type).map(({ sort, backward }) => `${sort?.by.canonical} ${sort?.descending} ${backward}`),
  );
  const wanted = ordered.flatMap((name) =>
    [true, false].flatMap((descending) =>
      [true, false].map((backward) => `${name} ${descending} ${backward}`),
    ),
  );
  expect(wanted.filter((order) => !walked.has(order))).toEqual([]);
});

test.each(types)(
  'Examples find candidates among the %ss by every index, with a sample and without.',
  (type) => {
    const all = gatherings(type);
    const conditions = all.map(({ condition }) => condition).join('\n');
    const parts = [
      'r.id = (',
      'r.display_name_key COLLATE "C" >=',
      'r.created_at >',
      'r.updated_at <',
      "jsonb_set('{}'",
      ' LIKE (SELECT ',
      'WITH RECURSIVE inside',
      ...(type === 'User' ? ['r.user_name_key COLLATE "C" =', '{name,familyName}'] : []),
    ].filter((part) => type === 'User' || part !== 'WITH RECURSIVE inside');
    expect(parts.filter((part) => !conditions.includes(part))).toEqual([]);
    for (const is of [true, false]) {
      expect(all.some(({ sampled }) => (sampled !== undefined) === is)).toBe(true);
      expect(all.some(({ small }) => (small !== undefined) === is)).toBe(true);
      expect(all.some(({ order }) => (order !== '') === is)).toBe(true);
      expect(all.some(({ after }) => (after !== undefined) === is)).toBe(true);
    }
  },
);
