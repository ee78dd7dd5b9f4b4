/** How a command ends. Documented in docs/reference/command-line.md: scripts rely on these numbers. */
export const exitCodes = {
  ok: { code: 0, means: 'It was done.' },
  failure: { code: 1, means: 'Something failed that has no code of its own.' },
  usage: {
    code: 2,
    means: 'The command line, a setting or a file is wrong; nothing was changed.',
  },
  denied: { code: 3, means: 'Not signed in, or not allowed to.' },
  notFound: { code: 4, means: 'The named object does not exist.' },
  conflict: {
    code: 5,
    means: 'The object has changed in the meantime, or its state does not permit the change.',
  },
  unreachable: { code: 6, means: 'The server does not respond or is unavailable.' },
  differs: { code: 7, means: '`diff` found differences, `doctor` or `audit invariants` something wrong.' },
  interrupted: { code: 130, means: 'Ctrl-C.' },
} as const;

export type Ending = keyof typeof exitCodes;

/** A command can't go on: why, in one sentence, and what to do next. */
export class Failure extends Error {
  readonly ending: Ending;
  /** The next command or setting; one line each. */
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
