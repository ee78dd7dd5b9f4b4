import type { Flaw, Sql } from '@ostiary/database';
import type * as auth from '../../services/auth/src/upkeep/data/invariants.ts';
import type * as directory from '../../services/directory/src/database/data/invariants.ts';
import type * as provisioning from '../../services/provisioning/src/database/data/invariants.ts';

/** A service's own module of facts, and a connection to its database. */
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
  /** Rows of one statement. */
  batch: number;
  /** Seconds after which something that is on its way has been for too long. */
  waitingSeconds: number;
  /** Milliseconds after which what didn't agree between two services is looked at again: news travels. */
  settleMs: number;
}

/** What came of one check. */
export interface Result {
  name: string;
  /** What holds, as a sentence. */
  says: string;
  /** Rows looked at. */
  looked: number;
  flaws: number;
  /** The first of them. */
  examples: Flaw[];
}

/** One thing that must hold. Reports what it finds; returns how many rows it looked at. */
export interface Check {
  name: string;
  says: string;
  run(report: (flaw: Flaw) => void): Promise<number>;
}

export type Key = { tenant: string; id: string };
