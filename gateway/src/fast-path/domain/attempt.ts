/** A context may be copied on its way; what it was tried with so far stays the same. */
export interface Attempted {
  readonly attempt?: object;
}
