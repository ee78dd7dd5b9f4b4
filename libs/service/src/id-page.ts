/** Which stretch of a list in the order of ids is read. Its rows come in its direction, nearest to the position first. */
export interface IdPage {
  limit: number;
  direction: 'forward' | 'backward';
  /** The id behind which it begins, in its direction. */
  position?: string | undefined;
}
