import { Prisma } from '../generated/client.ts';

/**
 * Returns the changed or deleted row; undefined if no row has the key. Prisma throws in that case; PostgreSQL does not.
 */
export async function unlessMissing<Row>(change: Promise<Row>): Promise<Row | undefined> {
  try {
    return await change;
  } catch (error) {
    // P2025: a required record was not found.
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2025') return undefined;
    throw error;
  }
}
