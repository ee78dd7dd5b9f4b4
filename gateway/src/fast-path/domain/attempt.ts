/** Identifies the execution of an operation. Copies of its context share the same `attempt`. */
export interface Attempted {
  readonly attempt?: object;
}
