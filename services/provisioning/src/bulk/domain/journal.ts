import { createHash } from 'node:crypto';
import { uuidv7 } from '@ostiary/service';
import type { Outcome } from './outcome.ts';
import type { Journal } from './run.ts';
import { leaseSeconds, type OpenSubmission, type SubmissionStore } from './submission.ts';

/** The journal of a Bulk without an Idempotency-Key: nothing is stored. */
export const noJournal: Journal = {
  outcomes: new Map(),
  shared: false,
  resumed: false,
  idAt: () => uuidv7(),
  record: () => undefined,
};

/**
 * Stores the outcomes of a running Bulk in batches, and extends its lease. Created resources get ids that are derived
 * from the submission, so that an interrupted run can be traced even when an outcome was not stored.
 */
export class BulkJournal implements Journal {
  readonly outcomes: ReadonlyMap<number, Outcome>;
  readonly shared = true;
  readonly resumed: boolean;
  /** Whether another run holds the submission: no further operation may begin. */
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

  /** Returns a UUIDv7 of the submission's time whose other bits are a digest of submission and position. */
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

  /**
   * Stores the remaining outcomes. A submission with undecided operations stays open, and continues when it is sent
   * again.
   */
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

  /** Outcomes that could not be stored are tried again with the next ones. */
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
