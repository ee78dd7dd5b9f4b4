import type { Flaw, Sql } from '@ostiary/database';
import type * as auth from '../../services/auth/src/invariants.ts';
import type * as directory from '../../services/directory/src/database/data/invariants.ts';
import type * as provisioning from '../../services/provisioning/src/database/data/invariants.ts';

/** Module of a service with its facts, and a connection to its database. */
interface Source<Facts> {
  facts: Facts;
  sql: Sql;
}

export interface Sources {
  auth: Source<typeof auth>;
  directory: Source<typeof directory>;
  provisioning: Source<typeof provisioning>;
}

export interface Limits {
  /** Maximum number of rows per statement. */
  batch: number;
  /** Maximum age in seconds of an undelivered event. */
  waitingSeconds: number;
  /** Milliseconds after which differences between services are compared again. */
  settleMs: number;
}

/** Result of one check. */
export interface Result {
  name: string;
  /** The invariant, as a sentence. */
  says: string;
  /** Number of verified rows. */
  looked: number;
  flaws: number;
  /** The first violations. */
  examples: Flaw[];
}

/** One invariant. `run` reports violations and returns the number of verified rows. */
export interface Check {
  name: string;
  says: string;
  run(report: (flaw: Flaw) => void): Promise<number>;
}

export type Key = { tenant: string; id: string };
