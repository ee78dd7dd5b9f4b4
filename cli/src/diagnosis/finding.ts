type State = 'well' | 'wrong' | 'skipped';

/** What `doctor` says of one thing that it looked at. */
export interface Finding {
  check: string;
  state: State;
  found: string;
  /** What to do about it. */
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

/** What could not be looked at, and why that is no fault. */
export const skipped = (check: string, found: string): Finding => ({
  check,
  state: 'skipped',
  found,
  remedy: null,
});
