import { statement } from '@ostiary/database';
import { uuidv7 } from '@ostiary/service';
import type { Connection } from '../database/data/database.ts';
import type { Outcome } from './domain/outcome.ts';
import {
  leaseSeconds,
  type OpenSubmission,
  type Submission,
  type SubmissionName,
  type SubmissionStore,
} from './domain/submission.ts';

const openSubmission = statement({
  name: 'bulkSubmissions.open',
  reason: 'atomic',
  text: `INSERT INTO provisioning.bulk_submissions AS s
           (tenant, owner, key, digest, id, holder, started_at, lease_until)
         VALUES ($tenant, $owner, $key, $digest, $holder, $holder, now(), now() + make_interval(secs => $seconds))
         ON CONFLICT (tenant, owner, key) DO UPDATE
           SET holder = excluded.holder, lease_until = excluded.lease_until
         WHERE s.digest = excluded.digest AND NOT s.finished AND s.lease_until < now()
         RETURNING s.id, s.started_at AS "startedAt", s.id <> s.holder AS resumed`,
  parameters: {
    tenant: 'text',
    owner: 'text',
    key: 'text',
    digest: 'bytea',
    holder: 'uuid',
    seconds: 'float8',
  },
  columns: { id: 'uuid', startedAt: 'timestamptz', resumed: 'bool' },
});

const keepOutcomes = statement({
  name: 'bulkSubmissions.keepOutcomes',
  reason: 'atomic',
  text: `WITH held AS (
           UPDATE provisioning.bulk_submissions SET lease_until = now() + make_interval(secs => $seconds)
            WHERE tenant = $tenant AND id = $id AND holder = $holder RETURNING id
         ), kept AS (
           INSERT INTO provisioning.bulk_outcomes (tenant, submission_id, position, outcome)
           SELECT $tenant, held.id, o.position, o.outcome
             FROM held, unnest($positions::int[], $outcomes::jsonb[]) AS o(position, outcome)
           ON CONFLICT (tenant, submission_id, position) DO UPDATE SET outcome = excluded.outcome
         )
         SELECT id FROM held`,
  parameters: {
    tenant: 'text',
    id: 'uuid',
    holder: 'uuid',
    seconds: 'float8',
    positions: 'int4[]',
    outcomes: 'jsonb[]',
  },
  columns: { id: 'uuid' },
});

/** Only the run that holds the lease. Lease times are the database's. */
const closeSubmission = statement({
  name: 'bulkSubmissions.close',
  reason: 'atomic',
  text: `UPDATE provisioning.bulk_submissions SET finished = $finished, lease_until = now() - interval '1 second'
          WHERE tenant = $tenant AND id = $id AND holder = $holder`,
  parameters: { tenant: 'text', id: 'uuid', holder: 'uuid', finished: 'bool' },
});

const pruneSubmissions = statement({
  name: 'bulkSubmissions.prune',
  reason: 'set',
  text: `DELETE FROM provisioning.bulk_submissions
          WHERE ctid IN (SELECT ctid FROM provisioning.bulk_submissions
                          WHERE started_at < now() - interval '1 day' AND lease_until < now() LIMIT 100)`,
});

/** Bulk submissions by their Idempotency-Key. One run at a time executes a submission, across all processes. */
export class Submissions implements SubmissionStore {
  readonly #sql: Connection;

  constructor(sql: Connection) {
    this.#sql = sql;
  }

  /** Opens a submission, or returns the reason why not. Of concurrent calls, one opens it. */
  async open(name: SubmissionName): Promise<Submission> {
    const { tenant, owner, key, digest } = name;
    const holder = uuidv7();
    const opened = await openSubmission.first(this.#sql, {
      tenant,
      owner,
      key,
      digest,
      holder,
      seconds: leaseSeconds,
    });
    if (opened) {
      const { id, startedAt, resumed } = opened;
      const outcomes = resumed ? await this.#outcomes(tenant, id) : new Map<number, Outcome>();
      return { state: 'open', tenant, id, holder, startedAt, resumed, outcomes };
    }
    const prisma = await this.#sql.prisma();
    const known = await prisma.bulkSubmission.findUnique({
      where: { tenant_owner_key: { tenant, owner, key } },
      select: { id: true, digest: true, finished: true, leaseUntil: true },
    });
    // It was pruned between the two statements.
    if (!known) return this.open(name);
    if (!Buffer.from(digest).equals(known.digest)) return { state: 'different' };
    if (known.finished) return { state: 'finished', outcomes: await this.#outcomes(tenant, known.id) };
    return { state: 'running', leaseUntil: known.leaseUntil };
  }

  /**
   * Stores outcomes and extends the lease; without outcomes only the lease.
   * @returns false when another run holds the submission
   */
  async keep(
    { tenant, id, holder }: OpenSubmission,
    outcomes: ReadonlyMap<number, Outcome>,
  ): Promise<boolean> {
    const held = await keepOutcomes.count(this.#sql, {
      tenant,
      id,
      holder,
      seconds: leaseSeconds,
      positions: [...outcomes.keys()],
      outcomes: [...outcomes.values()],
    });
    return held > 0;
  }

  /** Ends a run: the submission is finished, or open again for a repetition by the client. */
  async close({ tenant, id, holder }: OpenSubmission, finished: boolean): Promise<void> {
    await closeSubmission.run(this.#sql, { tenant, id, holder, finished });
  }

  /** Removes submissions older than a day, at most 100. @returns the number of removed submissions */
  prune(): Promise<number> {
    return pruneSubmissions.count(this.#sql);
  }

  async #outcomes(tenant: string, id: string): Promise<Map<number, Outcome>> {
    const prisma = await this.#sql.prisma();
    const rows = await prisma.bulkOutcome.findMany({
      where: { tenant, submissionId: id },
      select: { position: true, outcome: true },
      orderBy: { position: 'asc' },
    });
    // Written only by `keep`.
    return new Map(rows.map(({ position, outcome }) => [position, outcome as unknown as Outcome]));
  }
}
