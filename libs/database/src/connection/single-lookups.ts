interface Request {
  transaction?: { kind?: string };
}

/** Internal part of the client that batches calls into one statement. */
interface Batching {
  _requestHandler?: { dataloader?: { options?: { batchBy?: (request: Request) => string | undefined } } };
}

/**
 * Disables Prisma's batching of concurrent `findUnique` calls, which assigns rows by comparing keys as text:
 * a UUID in upper case, which PostgreSQL finds, would give null, but only with concurrent calls. Each call
 * becomes its own statement. Tested, because it is not a public interface.
 */
export function withSingleLookups<P>(prisma: P): P {
  const client = (prisma as { _originalClient?: Batching } | undefined)?._originalClient;
  const options = client?._requestHandler?.dataloader?.options;
  const batchBy = options?.batchBy;
  if (options === undefined || batchBy === undefined) return prisma;
  options.batchBy = (request) => (request.transaction?.kind === 'batch' ? batchBy(request) : undefined);
  return prisma;
}
