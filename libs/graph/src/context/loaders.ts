import DataLoader from 'dataloader';

export type { default as DataLoader } from 'dataloader';

/** Maximum number of keys per query, within which PostgreSQL plans parameter lists well. */
const maxBatchSize = 500;

/**
 * Loads rows by key: one query for all keys requested in the same tick, each key once per request. A key
 * without a row gives null.
 */
export function batchOne<T extends object>(
  load: (keys: readonly string[]) => Promise<readonly T[]>,
  keyOf: (row: T) => string,
): DataLoader<string, T | null> {
  return new DataLoader<string, T | null>(
    async (keys) => {
      const rows = new Map((await load(keys)).map((row) => [keyOf(row), row]));
      return keys.map((key) => rows.get(key) ?? null);
    },
    { maxBatchSize },
  );
}

/** Like `batchOne` for a list per key; a key without rows gives an empty list. Rows keep their order. */
export function batchMany<T extends object>(
  load: (keys: readonly string[]) => Promise<readonly T[]>,
  keyOf: (row: T) => string,
): DataLoader<string, T[]> {
  return new DataLoader<string, T[]>(
    async (keys) => {
      const lists = Map.groupBy(await load(keys), keyOf);
      return keys.map((key) => lists.get(key) ?? []);
    },
    { maxBatchSize },
  );
}
