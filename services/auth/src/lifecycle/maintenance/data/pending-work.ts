import { statement } from '@ostiary/database';

/**
 * Declares the statement that reports which jobs have work. Each condition needs one index lookup or reads a table that
 * is mostly empty. It only wakes a job; the job decides about the work.
 */
export const pendingWorkStatement = <Job extends string>(conditions: Readonly<Record<Job, string>>) => {
  const jobs = Object.keys(conditions) as Job[];
  return statement({
    name: 'maintenance.pending-work',
    reason: 'hot path',
    text: `SELECT ${jobs.map((job) => `${conditions[job]} AS "${job}"`).join(', ')}`,
    columns: Object.fromEntries(jobs.map((job) => [job, 'bool'])) as Record<Job, 'bool'>,
  });
};
