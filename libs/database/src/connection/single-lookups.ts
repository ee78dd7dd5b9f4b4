interface Request {
  transaction?: { kind?: string };
}

/** The client as far as it matters here: what decides which calls of one moment become one statement. */
interface Batching {
  _requestHandler?: { dataloader?: { options?: { batchBy?: (request: Request) => string | undefined } } };
}

/**
 * Prisma makes one statement of `findUnique`s that are called at once, and gives out its rows by comparing keys as texts: a UUID in upper case, which
 * PostgreSQL finds, is null then, but only while somebody else asks. Here each is a statement of its own, as it would be in SQL.
 * That it is so is tested, for it is no public interface.
 */
export function withSingleLookups<P>(prisma: P): P {
  const client = (prisma as { _originalClient?: Batching } | undefined)?._originalClient;
  const options = client?._requestHandler?.dataloader?.options;
  const batchBy = options?.batchBy;
  if (options === undefined || batchBy === undefined) return prisma;
  options.batchBy = (request) => (request.transaction?.kind === 'batch' ? batchBy(request) : undefined);
  return prisma;
}
