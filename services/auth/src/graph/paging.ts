import { connection, decodeCursor, encodeCursor, pageArguments } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';

export interface PageInput {
  first?: number | null;
  after?: string | null;
}

/** Filters as GraphQL gives them: null says the same as nothing. */
export type Given<F> = { [K in keyof F]?: F[K] | null };

/** A filter without what doesn't narrow. */
export function filterOf<F extends object>(given: Given<F> | null | undefined): F {
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== null)) as F;
}

const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value);

/** A page of a list whose ids order it, newest first; counted only when somebody asks how many there are. */
export async function newestFirst<T extends { id: string }>(
  cursorKind: string,
  input: PageInput,
  list: {
    page: (page: { limit: number; before?: string }) => Promise<readonly T[]>;
    total: () => Promise<number>;
  },
) {
  const page = pageArguments(input);
  const before = page.after === undefined ? undefined : decodeCursor<string>(cursorKind, page.after, isId);
  const rows = await list.page({ limit: page.first + 1, ...(before !== undefined && { before }) });
  return { totalCount: list.total, ...connection(rows, page, (row) => encodeCursor(cursorKind, row.id)) };
}
