type Direction = 'forward' | 'backward';

/** Returns the condition and order in SQL of a page in its direction. */
export function wayOf(
  { direction }: { direction: Direction },
  list: { newestFirst?: boolean } = {},
): { beyond: '<' | '>'; order: 'ASC' | 'DESC' } {
  return (direction === 'backward') === (list.newestFirst === true)
    ? { beyond: '>', order: 'ASC' }
    : { beyond: '<', order: 'DESC' };
}

/** Page arguments of the Prisma client: `findMany({ where: { …, ...beyond }, orderBy, take })`. */
export interface Stretch {
  /** Part of `where`. */
  beyond: { id?: { lt: string } | { gt: string } };
  orderBy: { id: 'asc' | 'desc' };
  take: number;
}

/** Returns the start and direction of a page. */
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
