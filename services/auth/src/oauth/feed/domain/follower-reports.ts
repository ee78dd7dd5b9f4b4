import type { FollowerActivity, FollowerReport } from './follower-activity.ts';

/** Interval of reports in milliseconds. */
export const reportMs = 10_000;

interface FollowerReportsOptions {
  activity: FollowerActivity;
  save(reports: readonly FollowerReport[]): Promise<void>;
}

/** Reports of the followers of this process, which all processes read. */
export class FollowerReports {
  readonly #o: FollowerReportsOptions;

  constructor(options: FollowerReportsOptions) {
    this.#o = options;
  }

  /** Saves the followers since the previous report; without any, it sends no statement. */
  async write(): Promise<void> {
    await this.#save(this.#o.activity.report());
  }

  /** Reports that no client follows at this process any longer. */
  async end(): Promise<void> {
    const last = this.#o.activity.report();
    await this.#save(last.map((report) => ({ ...report, followers: 0, isFollowing: false })));
  }

  async #save(reports: readonly FollowerReport[]): Promise<void> {
    if (reports.length > 0) await this.#o.save(reports);
  }
}
