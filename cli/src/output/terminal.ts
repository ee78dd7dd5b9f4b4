import { createInterface } from 'node:readline/promises';
import { Failure } from '../failure.ts';
import { json, shown } from './text.ts';

export interface Streams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Writes results to stdout, and everything else to stderr. */
export class Terminal {
  readonly #streams: Streams;
  readonly #json: boolean;
  readonly #colour: boolean;
  readonly #yes: boolean;

  constructor(
    streams: Streams,
    given: { json: boolean; yes: boolean; env: Readonly<Record<string, string | undefined>> },
  ) {
    this.#streams = streams;
    this.#json = given.json;
    this.#yes = given.yes;
    const { NO_COLOR: noColour, TERM: term } = given.env;
    this.#colour = streams.stderr.isTTY === true && !noColour && term !== 'dumb';
  }

  /**
   * Writes the result: the value as JSON with --json, else the lines. The lines have already been escaped with `shown`.
   */
  result(value: unknown, lines: () => readonly string[]): void {
    const text = this.#json ? json(value) : lines().join('\n');
    if (text !== '') this.#streams.stdout.write(`${text}\n`);
  }

  /** Writes a text unchanged, for example a completion script or an exported file. */
  raw(text: string): void {
    this.#streams.stdout.write(text);
  }

  note(text: string): void {
    this.#streams.stderr.write(`${shown(text)}\n`);
  }

  warn(text: string): void {
    this.#streams.stderr.write(`${this.#painted('33', 'warning:')} ${shown(text)}\n`);
  }

  error(message: string, next: readonly string[]): void {
    this.#streams.stderr.write(`${this.#painted('31', 'error:')} ${shown(message)}\n`);
    for (const line of next) this.#streams.stderr.write(`  ${shown(line)}\n`);
  }

  /** Writes one step of a long operation, on a TTY only. */
  progress(text: string): void {
    if (this.#streams.stderr.isTTY) this.#streams.stderr.write(`${this.#painted('2', shown(text))}\n`);
  }

  /** Writes a step that has already been escaped with `shown`, on a TTY only. */
  progressLine(line: string): void {
    if (this.#streams.stderr.isTTY) this.#streams.stderr.write(`${line}\n`);
  }

  /** @throws Failure unless the user confirms, or has set --yes */
  async confirm(question: string): Promise<void> {
    if (this.#yes) return;
    if (!this.#streams.stdin.isTTY) {
      throw new Failure(
        'usage',
        `${question} Confirmation requires a terminal.`,
        'Use --yes to skip the confirmation.',
      );
    }
    const lines = createInterface({ input: this.#streams.stdin, output: this.#streams.stderr });
    try {
      const interrupted = new Promise<never>((_, reject) => {
        lines.once('SIGINT', () => reject(new Failure('interrupted', 'Nothing was changed.')));
        lines.once('close', () => reject(new Failure('failure', 'Nothing was changed.')));
      });
      const answer = await Promise.race([lines.question(`${shown(question)} [y/N] `), interrupted]);
      if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('failure', 'Nothing was changed.');
    } finally {
      lines.close();
    }
  }

  #painted(code: string, text: string): string {
    return this.#colour ? `\u001b[${code}m${text}\u001b[0m` : text;
  }
}
