/** A page of a list in the order of ids. Rows are in the page's direction, starting next to the position. */
export interface IdPage {
  limit: number;
  direction: 'forward' | 'backward';
  /** Id after which the page begins, in its direction. */
  position?: string | undefined;
}
