import { type Connected, createDatabase, type Database as SharedDatabase } from '@ostiary/database';
import type { Logger } from '@ostiary/service';
import { type Prisma, PrismaClient } from '../generated/client.ts';

export type { Prisma, PrismaClient };

/** The PostgreSQL schema of this service; every raw statement names its tables with it. */
export const schemaName = 'provisioning';

export type Database = SharedDatabase<PrismaClient>;

/** The pool or a running transaction, for statements and for the Prisma client. */
export type Connection = Connected<PrismaClient>;

/** Returns the value as JSON, for a column of JSON: dates become texts, undefined members are dropped. */
export const jsonOf = (value: object): Prisma.InputJsonObject => JSON.parse(JSON.stringify(value));

/** Opens the connection pool. */
export const openDatabase = (options: {
  url: string | (() => string);
  replicaUrl?: string | (() => string) | undefined;
  poolSize?: number;
  prepare?: boolean;
  log: Logger;
}): Database =>
  createDatabase({ ...options, schema: schemaName, prisma: (adapter) => new PrismaClient({ adapter }) });
