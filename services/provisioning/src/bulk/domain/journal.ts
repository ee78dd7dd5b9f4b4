import { createHash } from 'node:crypto';
import { uuidv7 } from '@ostiary/service';
import type { Outcome } from './outcome.ts';
import type { Journal } from './run.ts';
import { leaseSeconds, type OpenSubmission, type SubmissionStore } from './submission.ts';

/** The journal of a Bulk that its client gave no key: nothing is kept. */
export const noJournal: Journal = {
  outcomes: new Map(),
  shared: false,
  resumed: false,
  idAt: () => uuidv7(),
  record: () => undefined,
};

/**
 * Writes outcomes down while a Bulk runs, several in one statement, and keeps its lease. What it makes gets ids that
 * follow from the submission, so a run that was cut off before it could write has still left a trace.
 */
export class BulkJournal implements Journal {
  readonly outcomes: ReadonlyMap<number, Outcome>;
  readonly shared = true;
  readonly resumed: boolean;
  /** Another run has taken over: nothing more may be begun. */
  lost = false;
  readonly #submissions: SubmissionStore;
  readonly #submission: OpenSubmission;
  readonly #onFailure: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #waiting = new Map<number, Outcome>();
  #writing: Promise<void> | undefined;

  constructor(submissions: SubmissionStore, submission: OpenSubmission, onFailure: (error: unknown) => void) {
    this.#submissions = submissions;
    this.#submission = submission;
    this.#onFailure = onFailure;
    this.outcomes = submission.outcomes;
    this.resumed = submission.resumed;
    this.#timer = setInterval(() => this.#write(), (leaseSeconds * 1000) / 4);
    this.#timer.unref();
  }

  /** A UUIDv7 of the submission's time whose other bits are a digest of submission and position. */
  idAt(position: number): string {
    const bytes = createHash('sha256').update(`${this.#submission.id}:${position}`).digest().subarray(0, 16);
    bytes.writeUIntBE(this.#submission.startedAt.getTime(), 0, 6);
    bytes[6] = 0x70 | ((bytes[6] as number) & 0x0f);
    bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f);
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  record(position: number, outcome: Outcome): void {
    this.#waiting.set(position, outcome);
    this.#write();
  }

  /** Writes what is left. A submission with undecided operations stays open, and goes on when it is sent again. */
  async close(finished: boolean): Promise<void> {
    clearInterval(this.#timer);
    while (this.#writing) await this.#writing;
    if (this.#waiting.size > 0 && !this.lost) await this.#keep();
    await this.#submissions.close(this.#submission, finished && this.#waiting.size === 0);
  }

  #write(): void {
    this.#writing ??= this.#keep().finally(() => {
      this.#writing = undefined;
      if (this.#waiting.size > 0 && !this.lost) this.#write();
    });
  }

  /** What could not be written is tried again with what comes next. */
  async #keep(): Promise<void> {
    const outcomes = this.#waiting;
    this.#waiting = new Map();
    try {
      if (!(await this.#submissions.keep(this.#submission, outcomes))) this.lost = true;
    } catch (error) {
      this.#waiting = new Map([...outcomes, ...this.#waiting]);
      this.#onFailure(error);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
