type State = 'well' | 'wrong' | 'skipped';

/** Result of one check of `doctor`. */
export interface Finding {
  check: string;
  state: State;
  found: string;
  /** Action that resolves the problem. */
  remedy: string | null;
}

export const well = (check: string, found: string): Finding => ({
  check,
  state: 'well',
  found,
  remedy: null,
});

export const wrong = (check: string, found: string, remedy: string): Finding => ({
  check,
  state: 'wrong',
  found,
  remedy,
});

/** Returns the finding of a check that was not possible, which is not a fault. */
export const skipped = (check: string, found: string): Finding => ({
  check,
  state: 'skipped',
  found,
  remedy: null,
});
