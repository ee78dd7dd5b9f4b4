import type { Connected } from '@ostiary/database';
import type { PrismaClient } from '../generated/client.ts';

/** A transaction or the pool, for statements and the Prisma client of this service. */
export type Connection = Connected<PrismaClient>;
