/** A page of a list in the order of ids. Rows are in the page's direction, starting next to the position. */
export interface IdPage {
  limit: number;
  direction: 'forward' | 'backward';
  /** Id after which the page begins, in its direction. */
  position?: string | undefined;
}

/** A count that stops at a maximum; then it is not exact. */
export interface BoundedCount {
  total: number;
  isExact: boolean;
}
