import type { Connected } from '@ostiary/database';
import type { PrismaClient } from '../generated/client.ts';

/** Where statements and the Prisma client of this service run: a transaction, or the pool. */
export type Connection = Connected<PrismaClient>;
