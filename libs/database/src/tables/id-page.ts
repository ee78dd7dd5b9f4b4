type Direction = 'forward' | 'backward';

/** How a stretch is said in SQL: what comes further in its direction, and in which order. */
export function wayOf(
  { direction }: { direction: Direction },
  list: { newestFirst?: boolean } = {},
): { beyond: '<' | '>'; order: 'ASC' | 'DESC' } {
  return (direction === 'backward') === (list.newestFirst === true)
    ? { beyond: '>', order: 'ASC' }
    : { beyond: '<', order: 'DESC' };
}

/** The same for the Prisma client: `findMany({ where: { …, ...beyond }, orderBy, take })`. */
export interface Stretch {
  /** Is part of `where`. */
  beyond: { id?: { lt: string } | { gt: string } };
  orderBy: { id: 'asc' | 'desc' };
  take: number;
}

/** Where a page begins, and which way it goes. */
export function stretchOf(
  page: { limit: number; direction: Direction; position?: string | undefined },
  list: { newestFirst?: boolean } = {},
): Stretch {
  const { position } = page;
  const isAscending = wayOf(page, list).order === 'ASC';
  return {
    beyond: position === undefined ? {} : { id: isAscending ? { gt: position } : { lt: position } },
    orderBy: { id: isAscending ? 'asc' : 'desc' },
    take: page.limit,
  };
}
