import type { Sql } from '@ostiary/database';
import { uuidv7 } from '@ostiary/service';
import type { Outcome } from '../domain/outcome.ts';
import {
  leaseSeconds,
  type OpenSubmission,
  type Submission,
  type SubmissionName,
  type SubmissionStore,
} from '../domain/submission.ts';

/** Bulk submissions by their Idempotency-Key. One run at a time carries a submission out, over all processes. */
export class Submissions implements SubmissionStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Takes a submission up, or says why not. Of several at once, one gets it. */
  async open(name: SubmissionName): Promise<Submission> {
    const values = [name.tenant, name.owner, name.key, Buffer.from(name.digest)];
    const holder = uuidv7();
    const { rows } = await this.#sql.query<{ id: string; started_at: Date; resumed: boolean }>(
      `INSERT INTO provisioning.bulk_submissions AS s
         (tenant, owner, key, digest, id, holder, started_at, lease_until)
       VALUES ($1, $2, $3, $4, $5, $5, now(), now() + make_interval(secs => $6))
       ON CONFLICT (tenant, owner, key) DO UPDATE
         SET holder = excluded.holder, lease_until = excluded.lease_until
       WHERE s.digest = excluded.digest AND NOT s.finished AND s.lease_until < now()
       RETURNING s.id, s.started_at, s.id <> s.holder AS resumed`,
      [...values, holder, leaseSeconds],
    );
    const row = rows[0];
    if (row) {
      const { id, started_at: startedAt, resumed } = row;
      const outcomes = resumed ? await this.#outcomes(name.tenant, id) : new Map<number, Outcome>();
      return { state: 'open', tenant: name.tenant, id, holder, startedAt, resumed, outcomes };
    }
    const found = await this.#sql.query<{ id: string; same: boolean; finished: boolean; lease_until: Date }>(
      `SELECT id, digest = $4 AS same, finished, lease_until FROM provisioning.bulk_submissions
        WHERE tenant = $1 AND owner = $2 AND key = $3`,
      values,
    );
    const known = found.rows[0];
    // Removed for its age between the two statements.
    if (!known) return this.open(name);
    if (!known.same) return { state: 'different' };
    if (known.finished) return { state: 'finished', outcomes: await this.#outcomes(name.tenant, known.id) };
    return { state: 'running', leaseUntil: known.lease_until };
  }

  /**
   * Keeps outcomes and the lease; without outcomes just the lease.
   * @returns false when another run has taken over
   */
  async keep(
    { tenant, id, holder }: OpenSubmission,
    outcomes: ReadonlyMap<number, Outcome>,
  ): Promise<boolean> {
    const { rowCount } = await this.#sql.query(
      `WITH held AS (
         UPDATE provisioning.bulk_submissions SET lease_until = now() + make_interval(secs => $4)
          WHERE tenant = $1 AND id = $2 AND holder = $3 RETURNING id
       ), kept AS (
         INSERT INTO provisioning.bulk_outcomes (tenant, submission_id, position, outcome)
         SELECT $1, held.id, o.position, o.outcome
           FROM held, unnest($5::int[], $6::jsonb[]) AS o(position, outcome)
         ON CONFLICT (tenant, submission_id, position) DO UPDATE SET outcome = excluded.outcome
       )
       SELECT id FROM held`,
      [
        tenant,
        id,
        holder,
        leaseSeconds,
        [...outcomes.keys()],
        [...outcomes.values()].map((o) => JSON.stringify(o)),
      ],
    );
    return rowCount > 0;
  }

  /** Ends a run: the submission is finished, or open again for a client that sends it again. */
  async close({ tenant, id, holder }: OpenSubmission, finished: boolean): Promise<void> {
    await this.#sql.query(
      `UPDATE provisioning.bulk_submissions SET finished = $4, lease_until = now() - interval '1 second'
        WHERE tenant = $1 AND id = $2 AND holder = $3`,
      [tenant, id, holder, finished],
    );
  }

  /** Removes submissions older than a day, in steps of 100. @returns how many */
  async prune(): Promise<number> {
    const { rowCount } = await this.#sql.query(
      `DELETE FROM provisioning.bulk_submissions
        WHERE ctid IN (SELECT ctid FROM provisioning.bulk_submissions
                        WHERE started_at < now() - interval '1 day' AND lease_until < now() LIMIT 100)`,
    );
    return rowCount;
  }

  async #outcomes(tenant: string, id: string): Promise<Map<number, Outcome>> {
    const { rows } = await this.#sql.query<{ position: number; outcome: Outcome }>(
      `SELECT position, outcome FROM provisioning.bulk_outcomes
        WHERE tenant = $1 AND submission_id = $2 ORDER BY position`,
      [tenant, id],
    );
    return new Map(rows.map(({ position, outcome }) => [position, outcome]));
  }
}
