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
