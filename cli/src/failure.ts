/** Exit codes. Documented in docs/reference/command-line.md: scripts rely on the numbers. */
export const exitCodes = {
  ok: { code: 0, means: 'Success.' },
  failure: { code: 1, means: 'Any other failure.' },
  usage: {
    code: 2,
    means: 'Invalid command line, setting or file; nothing was changed.',
  },
  denied: { code: 3, means: 'Not signed in, or not authorized.' },
  notFound: { code: 4, means: 'Not found.' },
  conflict: {
    code: 5,
    means: 'Conflict: a concurrent change, or a state that does not allow the operation.',
  },
  unreachable: { code: 6, means: 'The server is unreachable or temporarily unavailable.' },
  differs: { code: 7, means: '`diff` found differences, `doctor` or `audit invariants` found problems.' },
  interrupted: { code: 130, means: 'Interrupted (Ctrl-C).' },
} as const;

export type Ending = keyof typeof exitCodes;

/** Failure of a command: the reason in one sentence, and the next steps. */
export class Failure extends Error {
  readonly ending: Ending;
  /** Next commands or settings, one line each. */
  readonly next: readonly string[];

  constructor(ending: Ending, message: string, next: string | readonly string[] = []) {
    super(message);
    this.ending = ending;
    this.next = typeof next === 'string' ? [next] : next;
  }

  get exitCode(): number {
    return exitCodes[this.ending].code;
  }
}
