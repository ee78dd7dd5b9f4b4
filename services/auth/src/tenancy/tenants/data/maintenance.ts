import { type Sql, statement } from '@ostiary/database';
import { longBefore } from '../../../platform/database/data/maintenance.ts';

/** Joins the suspended tenant of a row that was created before the suspension. */
export const ofSuspendedTenant = `JOIN auth.tenants n ON n.id = page.tenant AND n.status = 'suspended' AND ${longBefore('n.updated_at')}`;

/** Plain SQL, because the audit's connection has no Prisma client. */
const listTenants = statement({
  name: 'maintenance.tenants',
  reason: 'set',
  text: 'SELECT id, status, version::text AS version FROM auth.tenants',
  columns: { id: 'text', status: 'text', version: 'text' },
});

/** Returns the stored state of all tenants. */
export const tenants = async (sql: Sql): Promise<{ id: string; status: string; version: number }[]> =>
  (await listTenants.rows(sql)).map((row) => ({ ...row, version: Number(row.version) }));
