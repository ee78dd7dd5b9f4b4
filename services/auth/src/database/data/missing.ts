import { Prisma } from '../generated/client.ts';

/** The row that was changed or deleted by its key; undefined when there was none, which PostgreSQL doesn't take for an error. */
export async function unlessMissing<Row>(change: Promise<Row>): Promise<Row | undefined> {
  try {
    return await change;
  } catch (error) {
    // "An operation failed because it depends on one or more records that were required but not found."
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2025') return undefined;
    throw error;
  }
}
