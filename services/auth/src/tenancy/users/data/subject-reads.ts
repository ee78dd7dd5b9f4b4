import { fragment, type RowOf, type Sql, statement, typed } from '@ostiary/database';
import { separateRoles } from '../domain/api-role.ts';
import type { Subject, SubjectProfile } from '../domain/subject.ts';
import { fromSubject } from './subject-conditions.ts';

const fromRow = (row: RowOf<ReturnType<typeof columnsOf>['columns']>): Subject => ({
  ...row,
  roles: separateRoles(row.roles).roles,
  version: BigInt(row.version),
});

const columnsOf = (rolesHeld: string) =>
  fragment(
    `s.tenant, s.id, s.active, s.epoch, s.version::text AS version, s.profile, s.withdrawals,
   ARRAY(${rolesHeld} ORDER BY 1) AS roles`,
    {
      tenant: 'text',
      id: 'uuid',
      active: 'bool',
      epoch: 'int4',
      version: 'text',
      profile: typed<SubjectProfile>('jsonb'),
      withdrawals: typed<Record<string, number>>('jsonb'),
      roles: 'text[]',
    },
  );

type Columns = ReturnType<typeof columnsOf>;

/** Runs for each code, refresh token and userinfo request. */
const findingById = (subject: Columns) =>
  statement({
    name: 'subjects.find',
    reason: 'hot path',
    text: `SELECT ${subject} ${fromSubject('s', '$tenant', '= $id')} AND NOT s.deleted`,
    parameters: { tenant: 'text', id: 'uuid' },
    columns: subject.columns,
  });

/** Runs for each sign-in. */
const findingByKeys = (subject: Columns) =>
  statement({
    name: 'subjects.find-by-user-name',
    reason: 'hot path',
    text: `SELECT ${subject} FROM auth.subjects s
          WHERE s.tenant = $tenant AND s.user_name_key = ANY ($keys::text[]) AND NOT s.deleted LIMIT 10`,
    parameters: { tenant: 'text', keys: 'text[]' },
    columns: subject.columns,
  });

/** Reads users with their roles. A higher district has the tables of roles and passes the query of them. */
export class SubjectReads {
  readonly #byId: ReturnType<typeof findingById>;
  readonly #byKeys: ReturnType<typeof findingByKeys>;

  constructor(rolesHeld: (tenant: string, subjectId: string) => string) {
    const subject = columnsOf(rolesHeld('s.tenant', 's.id'));
    this.#byId = findingById(subject);
    this.#byKeys = findingByKeys(subject);
  }

  /** Returns a stored user of the tenant; undefined for a deleted one. */
  async find(sql: Sql, tenant: string, id: string): Promise<Subject | undefined> {
    const row = await this.#byId.first(sql, { tenant, id });
    return row && fromRow(row);
  }

  /**
   * Returns the users with one of these user name keys. Several users may share a key temporarily, when a name was
   * reassigned and the events arrive in another order, or permanently, when they shared it from the beginning. Then
   * only the directory decides.
   */
  async findByUserName(sql: Sql, tenant: string, keys: readonly string[]): Promise<Subject[]> {
    return (await this.#byKeys.rows(sql, { tenant, keys })).map(fromRow);
  }
}
