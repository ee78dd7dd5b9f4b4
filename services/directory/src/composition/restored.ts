import type { Sql } from '@ostiary/database';
import { raise, standingsOf } from '../recovery/data/standings.ts';
import type { RestoredDirectory } from '../recovery/domain/restoring.ts';
import type { Directory } from './directory.ts';

/** Returns the operations on the directory that are repeated after a restore. */
export const restoredDirectory = (directory: Directory, sql: Sql): RestoredDirectory => ({
  standings: (people) => standingsOf(sql, people),
  raise: (tenant, id, version) => raise(sql, tenant, id, version),
  of: (tenant) => directory.of(tenant),
});
