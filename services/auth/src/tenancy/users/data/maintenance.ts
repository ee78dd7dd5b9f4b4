import { composedStatement, fragment, type Scan, type Sql, statement } from '@ostiary/database';

export interface Key {
  tenant: string;
  id: string;
}

interface SubjectFact extends Key {
  active: boolean;
  deleted: boolean;
  version: number;
  userName: string;
}

/** Joins the user `s` of a row. */
export const subjectOfPage = 'JOIN auth.subjects s ON s.tenant = page.tenant AND s.id = page.subject_id';

/** Condition of a user `s` who is offboarded. */
export const offboarded = '(NOT s.active OR s.deleted)';

export const revocationScan: Scan = {
  name: 'offboardings in the revocation feed',
  says: 'Each offboarding is in the revocation feed once, and the last one with the current epoch of the user.',
  table: 'auth.revocations',
  key: [['seq', 'bigint']],
  flaws: `SELECT page.tenant, page.key AS id,
                 CASE WHEN page.epoch > coalesce(s.epoch, -1) THEN 'the feed is ahead: epoch ' || page.epoch
                      WHEN double.seq IS NOT NULL THEN 'epoch ' || page.epoch || ' twice'
                      ELSE 'the feed ends with epoch ' || page.epoch || ', the person is in ' || s.epoch END AS detail
            FROM page
            LEFT JOIN auth.subjects s ON s.tenant = page.tenant
              AND s.id = CASE WHEN page.kind = 'subject' AND page.key ~ '^[0-9a-f-]{36}$' THEN page.key::uuid END
            LEFT JOIN LATERAL (
              SELECT max(r.epoch) AS epoch FROM auth.revocations r
               WHERE r.tenant = page.tenant AND r.kind = 'subject' AND r.key = page.key
            ) newest ON true
            LEFT JOIN LATERAL (
              SELECT r.seq FROM auth.revocations r
               WHERE r.tenant = page.tenant AND r.kind = 'subject' AND r.key = page.key AND r.epoch = page.epoch
                 AND r.seq < page.seq LIMIT 1
            ) double ON true
           WHERE page.kind = 'subject' AND page.epoch IS NOT NULL
             AND (page.epoch > coalesce(s.epoch, -1) OR double.seq IS NOT NULL
                  OR (newest.epoch = page.epoch AND s.epoch > page.epoch))`,
};

const subject = fragment(
  `s.tenant, s.id::text AS id, s.active, s.deleted, s.version::text AS version, s.user_name AS "userName"`,
  {
    tenant: 'text',
    id: 'text',
    active: 'bool',
    deleted: 'bool',
    version: 'text',
    userName: 'text',
  },
);

/** Versions are text, because the audit's connection does not use this service's type parsers. */
const withVersion = <Row extends { version: string }>(
  row: Row,
): Omit<Row, 'version'> & { version: number } => ({
  ...row,
  version: Number(row.version),
});

const listSubjects = composedStatement({
  name: 'maintenance.subjects-after',
  reason: 'set',
  columns: subject.columns,
  compose: ({ after, limit }: { after: Key | undefined; limit: number }) => ({
    text: `SELECT ${subject} FROM auth.subjects s
      ${after === undefined ? '' : 'WHERE (s.tenant, s.id) > ($2, $3::uuid)'} ORDER BY s.tenant, s.id LIMIT $1`,
    values: [limit, ...(after === undefined ? [] : [after.tenant, after.id])],
  }),
  examples: () => [
    { after: undefined, limit: 1 },
    { after: { tenant: 'demo', id: '' }, limit: 1 },
  ],
});

/** Returns a page of stored users, in the order of their keys. */
export const subjectsAfter = async (
  sql: Sql,
  after: Key | undefined,
  limit: number,
): Promise<SubjectFact[]> => (await listSubjects.rows(sql, { after, limit })).map(withVersion);

const findSubjects = statement({
  name: 'maintenance.subjects-of',
  reason: 'set',
  text: `SELECT ${subject} FROM unnest($tenants::text[], $ids::uuid[]) AS k (tenant, id)
       JOIN auth.subjects s ON s.tenant = k.tenant AND s.id = k.id`,
  parameters: { tenants: 'text[]', ids: 'uuid[]' },
  columns: subject.columns,
});

/** Returns the stored state of these users; unknown ones are omitted. */
export const subjectsOf = async (sql: Sql, keys: readonly Key[]): Promise<SubjectFact[]> =>
  (
    await findSubjects.rows(sql, { tenants: keys.map(({ tenant }) => tenant), ids: keys.map(({ id }) => id) })
  ).map(withVersion);

/** Table with objects of users, in the column `subject_id`. */
export interface TableOfUsers {
  name: string;
  /** Condition of the row `t`, if not every row counts. */
  only?: string;
}

/** Declares the statement that finds rows of deleted users. */
export const leftoversStatement = (tables: readonly TableOfUsers[]) =>
  statement({
    name: 'maintenance.leftovers',
    reason: 'set',
    text: tables
      .map(
        ({ name, only }) => `SELECT k.tenant, k.id::text AS id, '${name} of a deleted person' AS detail
          FROM unnest($tenants::text[], $ids::uuid[]) AS k (tenant, id)
         WHERE EXISTS (SELECT 1 FROM auth.${name} t WHERE t.tenant = k.tenant AND t.subject_id = k.id${
           only === undefined ? '' : ` AND ${only}`
         })`,
      )
      .join(' UNION ALL '),
    parameters: { tenants: 'text[]', ids: 'uuid[]' },
    columns: { tenant: 'text', id: 'text', detail: 'text' },
  });
