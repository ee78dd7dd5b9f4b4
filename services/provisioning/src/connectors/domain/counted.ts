/** How many there are, or how many there are at least. */
export interface Counted {
  total: number;
  isExact: boolean;
}
