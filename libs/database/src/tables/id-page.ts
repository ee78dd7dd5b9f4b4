/** Which stretch of a list in the order of ids is read. Its rows come in its direction, nearest to the position first. */
export interface IdPage {
  limit: number;
  direction: 'forward' | 'backward';
  /** The id behind which it begins, in its direction. */
  position?: string | undefined;
}

/** How a stretch is said in SQL: what comes further in its direction, and in which order. */
export function wayOf(
  { direction }: Pick<IdPage, 'direction'>,
  list: { newestFirst?: boolean } = {},
): { beyond: '<' | '>'; order: 'ASC' | 'DESC' } {
  return (direction === 'backward') === (list.newestFirst === true)
    ? { beyond: '>', order: 'ASC' }
    : { beyond: '<', order: 'DESC' };
}

/** The same for the Prisma client: `findMany({ where: { …, ...where }, orderBy, take })`. */
export function idPageArguments(
  page: IdPage,
  list: { newestFirst?: boolean } = {},
): {
  where: { id?: { lt: string } | { gt: string } };
  orderBy: { id: 'asc' | 'desc' };
  take: number;
} {
  const { position, limit } = page;
  const isAscending = wayOf(page, list).order === 'ASC';
  const beyond = position === undefined ? {} : { id: isAscending ? { gt: position } : { lt: position } };
  return { where: beyond, orderBy: { id: isAscending ? 'asc' : 'desc' }, take: limit };
}
