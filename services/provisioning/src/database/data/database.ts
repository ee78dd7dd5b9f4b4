import { createDatabase, type Database as SharedDatabase } from '@ostiary/database';
import type { Logger } from '@ostiary/service';
import { PrismaClient } from '../generated/client.ts';

/** The PostgreSQL schema of this service; every raw statement names its tables with it. */
export const schemaName = 'provisioning';

export type Database = SharedDatabase<PrismaClient>;

/** Opens the connection pool. */
export const openDatabase = (options: {
  url: string;
  poolSize?: number;
  prepare?: boolean;
  log: Logger;
}): Database =>
  createDatabase({ ...options, schema: schemaName, prisma: (adapter) => new PrismaClient({ adapter }) });
