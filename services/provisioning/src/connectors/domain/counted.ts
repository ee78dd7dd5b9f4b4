/** An exact count, or a minimum. */
export interface Counted {
  total: number;
  isExact: boolean;
}
