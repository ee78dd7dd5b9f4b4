import { hash } from 'node:crypto';

/** A request to execute an operation, over any transport. */
export interface OperationRequest {
  query?: unknown;
  operationName?: unknown;
  variables?: unknown;
  extensions?: unknown;
  /** Id of a trusted document (GraphQL over HTTP, persisted documents). */
  documentId?: unknown;
}

/**
 * Maximum number of fragment spreads in a document. The cost of comparing their selections grows faster than its
 * length.
 */
export const mostSpreads = 100;

/** Returns the id in a request: `documentId`, or the digest in `extensions`, where Apollo's clients send it. */
export function idOf({ documentId, extensions }: OperationRequest): string | undefined {
  if (typeof documentId === 'string') return documentId;
  const persisted = (extensions as { persistedQuery?: { sha256Hash?: unknown } } | null | undefined)
    ?.persistedQuery;
  return typeof persisted?.sha256Hash === 'string' ? persisted.sha256Hash : undefined;
}

/**
 * Returns the mistake in a persisted query, which Apollo Server would report as an internal error. A digest without a
 * text is looked up as it is.
 */
export function mistakeIn({ query, extensions }: OperationRequest): string | undefined {
  const persisted: unknown = (extensions as { persistedQuery?: unknown } | null | undefined)?.persistedQuery;
  if (persisted === undefined || persisted === null) return undefined;
  const { version, sha256Hash } = persisted as { version?: unknown; sha256Hash?: unknown };
  if (version !== 1) return 'A persisted query must have version 1 and the SHA-256 digest of its text.';
  const isOther = typeof query === 'string' && query !== '' && sha256Hash !== hash('sha256', query);
  return isOther ? 'The digest is not the SHA-256 of the operation.' : undefined;
}

export function withoutPersistedQuery<R extends OperationRequest>(sent: R): R {
  if (typeof sent.extensions !== 'object' || sent.extensions === null) return sent;
  const { persistedQuery: _, ...extensions } = sent.extensions as Record<string, unknown>;
  return { ...sent, extensions };
}

export function spreadsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('...'); at !== -1; at = text.indexOf('...', at + 3)) count += 1;
  return count;
}
