import type { Sql } from '@ostiary/database';
import { ScimError } from '@ostiary/scim';
import type { RestoredDirectory, RestoredTenant } from '../restoring/restoring.ts';
import { raise, standingsOf } from '../restoring/standings.data.ts';
import type { Directory, TenantDirectory } from './directory.ts';

/** Returns the operations on the directory that are repeated after a restore. */
export const restoredDirectory = (directory: Directory, sql: Sql): RestoredDirectory => ({
  standings: (people) => standingsOf(sql, people),
  async tenant(id) {
    try {
      return restoredTenant(await directory.of(id), sql);
    } catch (error) {
      if (error instanceof ScimError && error.status === 404) return undefined;
      throw error;
    }
  },
});

const restoredTenant = ({ tenant, users }: TenantDirectory, sql: Sql): RestoredTenant => ({
  raise: (id, version) => raise(sql, tenant, id, version),
  async deactivate(id, actor) {
    await users.deactivate({ id, actor });
  },
  remove: (id, actor) => users.remove({ id, actor }),
  tellAgain: (id, left, actor) => users.tellAgain(id, left, actor),
  tellDeleted: (id, version, actor) => users.tellDeleted(id, version, actor),
});
