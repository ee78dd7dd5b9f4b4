import { type Composition, composedStatement, type RowOf, statement } from '@ostiary/database';
import { resourceColumns } from '../../resources/data/rows.ts';
import { ofEachType } from '../../schemas/data/of-each-type.ts';
import type { ResourceType } from '../../schemas/index.ts';
import type { Gathering } from './gathering.ts';
import { alias, scope } from './mapping.ts';
import * as examples from './search-examples.ts';
import type { Estimate, Look, Slice, Walk } from './search-inputs.ts';
import { behind, orderBy, Statement, visibleLimit } from './search-statement.ts';

/** Number of rows sampled at each end of a tenant before an index is used. */
const sampleSize = 64;

/** Number of pages of a table drawn for an estimate, always the same ones. */
const samplePages = 150;

/** The counters are maintained by triggers. */
export const countResources = ofEachType((type) =>
  statement({
    name: `search.count ${type}`,
    reason: 'search',
    text: `SELECT coalesce(sum(c.total), 0)::int4 AS total FROM directory.resource_counts c
            WHERE c.tenant = $tenant AND c.resource_type = '${type}'`,
    parameters: { tenant: 'text' },
    columns: { total: 'int4' },
  }),
);

/** The page is found in the index alone; whole rows are read only for it. */
function slice(type: ResourceType, { tenant, sort, source, offset, limit, far }: Slice): Composition {
  const query = new Statement(type, tenant, source);
  const ordering = query.ordering(sort);
  const columns = `${alias}.id, ${ordering.key?.text ?? 'NULL'} AS sort_key`;
  const [skip, take] = [`${query.bind(offset)}::bigint`, `${query.bind(limit)}::bigint`];
  const forward = `SELECT id, row_number() OVER () AS place
      FROM (SELECT id FROM ${query.walk(ordering, { columns, limit: visibleLimit(offset + limit) })} w
            OFFSET ${skip} LIMIT ${take}) o`;
  // In the second half, reading from the end is shorter. The statement chooses when the total is known.
  const backward = `SELECT id, -row_number() OVER () AS place
      FROM (SELECT ${alias}.id FROM ${query.table} WHERE ${scope} ORDER BY ${alias}.id DESC
            OFFSET greatest(${query.total} - ${skip} - ${take}, 0)
            LIMIT greatest(least(${take}, ${query.total} - ${skip}), 0)) o`;
  const page =
    !sort && offset > far
      ? `SELECT * FROM (${forward}) f WHERE ${query.total} >= 2 * ${skip}
           UNION ALL SELECT * FROM (${backward}) b WHERE ${query.total} < 2 * ${skip}`
      : forward;
  return {
    text: `SELECT counted.total, ${resourceColumns[type]} FROM (SELECT ${query.total} AS total) counted
       LEFT JOIN (SELECT * FROM (${page}) p LIMIT ${visibleLimit(limit)}) page ON true
       LEFT JOIN ${query.table} ON ${scope} AND ${alias}.id = page.id
       ORDER BY page.place`,
    values: query.values,
  };
}

/** For a page that may be empty: one row always exists, with the total. */
const maybe = { id: 'uuid?' } as const;

export const sliceResources = ofEachType((type) =>
  composedStatement({
    name: `search.slice ${type}`,
    reason: 'search',
    columns: { total: 'int4', ...resourceColumns[type].columns, ...maybe },
    compose: (asked: Slice) => slice(type, asked),
    examples: () => examples.slices(type),
  }),
);

function next(type: ResourceType, asked: Walk): Composition {
  const query = new Statement(type, asked.tenant, asked.source);
  const ordering = query.ordering(asked.sort, asked.backward);
  const walk = query.walk(ordering, {
    after: asked.after,
    columns: `${resourceColumns[type]}, ${query.keyText(ordering)} AS "sortKey"`,
    limit: visibleLimit(asked.limit + 1),
  });
  return {
    text: `SELECT counted.total, page.* FROM (SELECT ${query.total} AS total) counted
       LEFT JOIN (SELECT * FROM ${walk} w LIMIT ${query.bind(asked.limit + 1)}::bigint) page ON true`,
    values: query.values,
  };
}

export const nextResources = ofEachType((type) =>
  composedStatement({
    name: `search.next ${type}`,
    reason: 'search',
    columns: { total: 'int4', ...resourceColumns[type].columns, ...maybe, sortKey: 'text?' },
    compose: (asked: Walk) => next(type, asked),
    examples: () => examples.walks(type),
  }),
);

/** Includes the last examined row even if it does not match, because the next page begins after it. */
function look(type: ResourceType, { most, ...asked }: Look): Composition {
  const query = new Statement(type, asked.tenant, asked.source);
  const matches = query.matches(asked.filter);
  const ordering = query.ordering(asked.sort, asked.backward);
  const walk = query.walk(ordering, {
    after: asked.after,
    columns: `${resourceColumns[type]}, ${query.keyText(ordering)} AS "sortKey", ${matches} AS matches`,
    limit: most,
  });
  return {
    text: `SELECT * FROM (SELECT w.*, row_number() OVER () = ${most} AS last FROM ${walk} w LIMIT ${most}) looked
       WHERE matches OR last LIMIT ${query.bind(asked.limit + 1)}::bigint`,
    values: query.values,
  };
}

export const lookAtResources = ofEachType((type) =>
  composedStatement({
    name: `search.look ${type}`,
    reason: 'search',
    columns: { ...resourceColumns[type].columns, sortKey: 'text?', matches: 'bool', last: 'bool' },
    compose: (asked: Look) => look(type, asked),
    examples: () => examples.looks(type),
  }),
);

/** From a fixed sample of the table's pages. */
function estimate(type: ResourceType, { tenant, filter, source }: Estimate): Composition {
  const query = new Statement(type, tenant, source);
  const matches = query.matches(filter);
  return {
    text: `SELECT count(*) FILTER (WHERE matches)::int4 AS hits, count(*)::int4 AS size, ${query.total} AS total
       FROM (SELECT ${matches} AS matches FROM ${query.table} TABLESAMPLE SYSTEM
         ((SELECT least(100, 100.0 * ${samplePages} / greatest(relpages, 1)) FROM pg_class WHERE oid = '${query.tableName}'::regclass)) REPEATABLE (1)
         WHERE ${scope}) drawn`,
    values: query.values,
  };
}

export const estimateMatches = ofEachType((type) =>
  composedStatement({
    name: `search.estimate ${type}`,
    reason: 'search',
    columns: { hits: 'int4', size: 'int4', total: 'int4' },
    compose: (asked: Estimate) => estimate(type, asked),
    examples: () => examples.estimates(type),
  }),
);

/**
 * Returns whether the tenant has at least four fifths of all rows, by the statistics. The trigram index would then
 * check each text that it finds against all rows of the tenant, only to drop the few of others.
 */
const mostOfAll = (query: Statement): string =>
  `SELECT reltuples > 0 AND 5 * ${query.total} >= 4 * reltuples AS large FROM pg_class WHERE oid = '${query.tableName}'::regclass`;

/**
 * Returns the rows that an index finds. One of the two alternatives is empty. IS NOT DISTINCT FROM keeps the planner
 * from using an index for the comparison.
 */
function foundRows(
  query: Statement,
  columns: string,
  { condition, unscoped, order, most }: Gathering,
): string {
  const rows = (where: string) =>
    `SELECT ${columns} FROM ${query.table} WHERE ${where}${order} LIMIT ${most + 1}`;
  if (unscoped === undefined) return rows(condition);
  return `(${rows(`${condition} AND NOT (SELECT large FROM share)`)})
         UNION ALL (${rows(`${unscoped} AND ${alias}.tenant IS NOT DISTINCT FROM $1 AND (SELECT large FROM share)`)})`;
}

/** Finds, counts, sorts and returns the page, in one statement and so from one snapshot. */
function gather({ query: compiled, ...options }: Gathering): Composition {
  const { matches, sampled, small = 'TRUE', after } = options;
  const query = compiled.fork();
  const ordering = query.ordering(options.sort, options.backward);
  const end = (direction: string) =>
    `(SELECT ${matches} AS matches FROM ${query.table} WHERE ${scope}
        ORDER BY ${alias}.id ${direction} LIMIT ${sampleSize})`;
  const sample =
    sampled === undefined
      ? 'SELECT 0 AS hits'
      : `SELECT count(*) FILTER (WHERE matches)::int4 AS hits FROM (${end('ASC')} UNION ALL ${end('DESC')}) ends`;
  const columns = `${alias}.id, ${ordering.key?.text ?? 'NULL::text'} AS sort_key, ${matches} AS matches`;
  const from = after ? ` AND ${behind(query, ordering, after)}` : '';
  return {
    text: `WITH sample AS MATERIALIZED (${sample}),
       ${options.unscoped === undefined ? '' : `share AS MATERIALIZED (${mostOfAll(query)}),`}
       found AS MATERIALIZED (
         ${foundRows(query, columns, { query, ...options })}
       ), page AS (
         SELECT id, sort_key, row_number() OVER (ORDER BY ${orderBy(ordering)}) AS place FROM found
         WHERE matches${from} ORDER BY place
         LIMIT ${query.bind(options.limit)}::bigint OFFSET ${query.bind(options.offset)}::bigint
       )
       SELECT sample.hits, counted.looked, counted.total, ${small} AS small, ${resourceColumns[query.type]}, page.sort_key::text AS "sortKey"
       FROM (SELECT count(*)::int4 AS looked, (count(*) FILTER (WHERE matches))::int4 AS total FROM found) counted
       CROSS JOIN sample LEFT JOIN (SELECT * FROM page LIMIT ${visibleLimit(options.limit)}) page ON true
       LEFT JOIN ${query.table} ON ${scope} AND ${alias}.id = page.id
       ORDER BY page.place`,
    values: query.values,
  };
}

export const gatherResources = ofEachType((type) =>
  composedStatement({
    name: `search.gather ${type}`,
    reason: 'search',
    columns: {
      hits: 'int4',
      looked: 'int4',
      total: 'int4',
      small: 'bool',
      ...resourceColumns[type].columns,
      id: 'uuid?',
      sortKey: 'text?',
    },
    compose: gather,
    examples: () => examples.gatherings(type),
  }),
);

/** A resource of a page, with its key in the order of the page. */
export type FoundRow = RowOf<(typeof resourceColumns)[ResourceType]['columns'] & { sortKey: 'text?' }>;
