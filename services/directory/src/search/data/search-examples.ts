import {
  type AttributeReference,
  type BoundFilter,
  bindFilter,
  bindSortBy,
  coreRegistry,
  ENTERPRISE_USER_SCHEMA,
  parseFilter,
} from '@ostiary/scim';
import type { ResourceType } from '../../schemas/index.ts';
import type { CursorQuery } from '../domain/search-index.ts';
import { candidatesOf, everythingOf, type Gathering, type Page } from './gathering.ts';
import type { Estimate, Look, Slice, Walk } from './search-inputs.ts';

/** Examples of composed searches: every kind of attribute with every kind of comparison. */

const tenant = 'demo';
const source = 'direct';
const id = '00000000-0000-7000-8000-000000000000';
const custom = 'urn:example:2.0:Custom';

/** The core schemas, and one with an attribute of each type. */
const registry = (['User', 'Group'] as const).reduce(
  (registry, resourceType) =>
    registry.withExtension(
      {
        id: `${custom}:${resourceType}`,
        name: 'Custom',
        attributes: [
          { name: 'text', type: 'string' },
          { name: 'exact', type: 'string', caseExact: true },
          { name: 'number', type: 'integer' },
          { name: 'measure', type: 'decimal' },
          { name: 'flag', type: 'boolean' },
          { name: 'at', type: 'dateTime' },
          { name: 'tags', type: 'string', multiValued: true },
          { name: 'numbers', type: 'integer', multiValued: true },
        ],
      },
      { resourceType },
    ),
  coreRegistry(),
);

const texts = [
  'eq "ada"',
  'ne "ada"',
  'co "ada"',
  'sw "ada"',
  'ew "ada"',
  'gt "a"',
  'ge "a"',
  'lt "b"',
  'le "b"',
  'pr',
];
const values = {
  text: texts,
  number: ['eq 1', 'ne 1', 'gt 1', 'ge 1', 'lt 2', 'le 2', 'pr'],
  flag: ['eq true', 'eq false', 'ne true', 'pr'],
};
const times = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'].map((operator) => `${operator} "2026-01-01T00:00:00Z"`);

const each = (attributes: readonly string[], comparisons: readonly string[]): string[] =>
  attributes.flatMap((attribute) => comparisons.map((comparison) => `${attribute} ${comparison}`));

const customFilters = (type: ResourceType): string[] => {
  const of = (name: string) => `${custom}:${type}:${name}`;
  return [
    ...each([of('text'), of('exact'), of('tags')], values.text),
    ...each([of('number'), of('measure'), of('numbers')], values.number),
    ...each([of('flag')], values.flag),
    ...each([of('at')], [...times, 'pr']),
  ];
};

const commonFilters = (type: ResourceType): string[] => [
  ...each(['displayName', 'externalId', 'meta.version', 'meta.resourceType'], texts),
  ...each(['id'], [...texts, `eq "${id}"`]),
  ...each(['meta.created', 'meta.lastModified'], [...times, 'pr']),
  'meta pr',
  `schemas eq "${custom}:${type}"`,
  'meta.created gt "2026-01-01T00:00:00Z" and meta.created le "2026-02-01T00:00:00Z"',
  ...customFilters(type),
];

const userFilters = [
  ...each(
    ['userName', 'name.familyName', 'name.givenName', 'title', 'emails.value', 'emails.type', 'emails'],
    texts,
  ),
  ...each(['groups.display'], texts),
  ...each(['active', 'emails.primary'], values.flag),
  ...each(['groups.value', 'groups'], [`eq "${id}"`, 'eq "x"', `ne "${id}"`, 'pr']),
  ...each([`${ENTERPRISE_USER_SCHEMA}:employeeNumber`, `${ENTERPRISE_USER_SCHEMA}:manager.value`], texts),
  'name pr',
  'userName ge "a" and userName lt "b"',
  'userName eq "ada" or emails.value eq "ada@example.com"',
  'not (userName eq "ada" and active eq true)',
  'emails[type eq "work" and value co "ada"]',
  'emails[type eq "work" and (value eq "ada@example.com" or value sw "ada")]',
  'emails[not (type eq "work") and primary eq false]',
  `groups[value eq "${id}" and type eq "direct"]`,
  'groups[type eq "indirect" or display co "ada"]',
];

const groupFilters = [
  ...each(['members.value', 'members'], [`eq "${id}"`, 'eq "x"', `ne "${id}"`, 'pr']),
  ...each(['members.display', 'members.type'], texts),
  `members[value eq "${id}" and type eq "User"]`,
  'members[type eq "Group" or display co "ada"]',
  'displayName sw "a" and not (members pr)',
];

const filters = (type: ResourceType): BoundFilter[] =>
  [...commonFilters(type), ...(type === 'User' ? userFilters : groupFilters)].map((filter) =>
    bindFilter(parseFilter(filter), registry, type),
  );

/** Returns the attributes with a B-tree index. */
const orderedBy = (type: ResourceType): string[] => [
  'id',
  'displayName',
  'meta.created',
  'meta.lastModified',
  ...(type === 'User' ? ['userName', 'name.familyName', 'name.givenName'] : []),
];

const sortedBy = (type: ResourceType): string[] => [
  ...orderedBy(type),
  ...['externalId', 'meta.version', 'meta.resourceType'],
  ...['text', 'exact', 'number', 'measure', 'flag', 'at', 'tags', 'numbers'].map(
    (name) => `${custom}:${type}:${name}`,
  ),
  ...(type === 'User' ? ['active', 'title', 'emails', 'groups'] : ['members']),
];

const by = (type: ResourceType, names: readonly string[]): AttributeReference[] =>
  names.map((name) => bindSortBy(name, registry, type));

/** Returns a sort key of a position, for each type of key. */
const keyOf = ({ definition, canonical }: AttributeReference): string => {
  if (canonical === 'id') return id;
  if (definition.type === 'dateTime') return '2026-01-01T00:00:00Z';
  return definition.type === 'string' || definition.type === 'complex' ? 'ada' : 'true';
};

/** Returns every direction of every order, from the beginning and from positions with and without a key. */
const ordered = (
  type: ResourceType,
  names: readonly string[],
): Pick<CursorQuery, 'sort' | 'backward' | 'after'>[] =>
  [true, false].flatMap((backward) => [
    ...[undefined, { id }].map((after) => ({ sort: undefined, backward, after })),
    ...by(type, names).flatMap((attribute) =>
      [true, false].flatMap((descending) =>
        [undefined, { id, key: null }, { id, key: keyOf(attribute) }].map((after) => ({
          sort: { by: attribute, descending },
          backward,
          after,
        })),
      ),
    ),
  ]);

export const slices = (type: ResourceType): Slice[] =>
  [undefined, ...by(type, orderedBy(type))].flatMap((attribute) =>
    [0, 1].map((offset) => ({
      tenant,
      source,
      filter: undefined,
      sort: attribute && { by: attribute, descending: offset === 1 },
      offset,
      limit: 1,
      far: 0,
    })),
  );

export const walks = (type: ResourceType): Walk[] =>
  ordered(type, orderedBy(type)).map((order) => ({ tenant, source, filter: undefined, limit: 1, ...order }));

export const looks = (type: ResourceType): Look[] => [
  ...walks(type).map((walk) => ({ ...walk, most: 1 })),
  ...filters(type).map((filter) => ({
    tenant,
    source,
    filter,
    sort: undefined,
    after: undefined,
    limit: 1,
    most: 1,
  })),
];

export const estimates = (type: ResourceType): Estimate[] =>
  filters(type).map((filter) => ({ tenant, source, filter }));

/** Returns searches by an index, sampled or not, and over the whole tenant, and orders with a filter of each kind. */
export function gatherings(type: ResourceType): Gathering[] {
  const page: Page & { most: number } = { offset: 0, limit: 1, after: undefined, most: 1 };
  const [first] = filters(type);
  return [
    ...filters(type).flatMap((filter) => {
      const wanted = { tenant, source, filter, sort: undefined };
      return [
        candidatesOf(type, wanted, { ...page, common: 1 }),
        candidatesOf(type, wanted, page),
        everythingOf(type, wanted, page),
      ];
    }),
    ...ordered(type, sortedBy(type)).map(({ after, ...order }) =>
      everythingOf(type, { tenant, source, filter: first, ...order }, { ...page, after }),
    ),
  ].filter((gathering) => gathering !== undefined);
}
