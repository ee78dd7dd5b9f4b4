import { type DocumentLimits, documentLimits, type PersistedQueries } from '@ostiary/graph';
import type { Logger, Redis } from '@ostiary/service';
import { Rates } from '@ostiary/service/rates';
import { Admission } from '../admission/graph/admission.ts';
import type { TrustedDocuments } from '../admission/graph/trusted-documents.ts';
import { PersistedQueryCache } from '../admission/persisted-queries.data.ts';

/** Limits on the operations of clients. By default only the document limits apply. */
export interface GraphGuards {
  limits?: DocumentLimits;
  /** Cost points of a caller per minute, default no limit. */
  pointsPerMinute?: number | undefined;
  /** Shares budgets and persisted queries between gateways. */
  redis?: Redis | undefined;
  prefix?: string;
  /** Timeout of Redis in milliseconds, after which the gateway counts budgets separately, default 250. */
  redisTimeoutMs?: number;
  persistedQueries?: boolean;
  documents?: TrustedDocuments | undefined;
  /** Whether only trusted documents are executed. */
  documentsOnly?: boolean;
}

/** Divisor for the points of a network: without a token only the schema is readable. */
const anonymousShare = 50;

/** The guards in the form that the modules of the graph take. */
export interface AppliedGuards {
  readonly admission: Admission;
  readonly limits: DocumentLimits;
  readonly persistedQueries: PersistedQueries | undefined;
}

export function applyGuards(guards: GraphGuards, log: Logger): AppliedGuards {
  const { pointsPerMinute, redis, prefix = 'ostiary', documents, documentsOnly = false } = guards;
  const { redisTimeoutMs: timeoutMs } = guards;
  const isRegistering = (guards.persistedQueries ?? true) && !documentsOnly;
  const budget =
    pointsPerMinute === undefined
      ? undefined
      : {
          rates: new Rates({
            name: 'graph-rate',
            redis,
            prefix,
            log,
            leases: 200,
            ...(timeoutMs !== undefined && { timeoutMs }),
          }),
          points: pointsPerMinute,
          anonymousPoints: Math.max(1, Math.floor(pointsPerMinute / anonymousShare)),
        };
  return {
    admission: new Admission({ documents, documentsOnly, budget }),
    limits: guards.limits ?? documentLimits,
    persistedQueries: isRegistering ? new PersistedQueryCache({ redis, prefix, log }) : undefined,
  };
}
