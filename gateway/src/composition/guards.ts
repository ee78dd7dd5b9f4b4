import { type DocumentLimits, documentLimits, type PersistedQueries } from '@ostiary/graph';
import type { Logger, Redis } from '@ostiary/service';
import { Rates } from '@ostiary/service/rates';
import { PersistedQueryCache } from '../admission/data/index.ts';
import { Admission, type TrustedDocuments } from '../admission/graph/index.ts';

/** What clients may ask for, and how much of it. Where nothing is said: anything, within the document limits. */
export interface GraphGuards {
  limits?: DocumentLimits;
  /** Cost points a caller has in a minute; undefined: no limit. */
  pointsPerMinute?: number | undefined;
  /** Where budgets and persisted queries are shared between gateways. */
  redis?: Redis | undefined;
  prefix?: string;
  persistedQueries?: boolean;
  documents?: TrustedDocuments | undefined;
  /** Execute trusted documents only. */
  documentsOnly?: boolean;
}

/** Without a token only the schema is open: a small part of a caller's points is plenty. */
const anonymousShare = 50;

/** The guards as the graph's modules take them. */
export interface AppliedGuards {
  readonly admission: Admission;
  readonly limits: DocumentLimits;
  readonly persistedQueries: PersistedQueries | undefined;
}

export function applyGuards(guards: GraphGuards, log: Logger): AppliedGuards {
  const { pointsPerMinute, redis, prefix = 'ostiary', documents, documentsOnly = false } = guards;
  const isRegistering = (guards.persistedQueries ?? true) && !documentsOnly;
  const budget =
    pointsPerMinute === undefined
      ? undefined
      : {
          rates: new Rates({ name: 'graph-rate', redis, prefix, log, leases: 200 }),
          points: pointsPerMinute,
          anonymousPoints: Math.max(1, Math.floor(pointsPerMinute / anonymousShare)),
        };
  return {
    admission: new Admission({ documents, documentsOnly, budget }),
    limits: guards.limits ?? documentLimits,
    persistedQueries: isRegistering ? new PersistedQueryCache({ redis, prefix, log }) : undefined,
  };
}
