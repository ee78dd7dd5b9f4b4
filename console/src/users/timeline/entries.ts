import type {
  TimelineChangesQuery,
  TimelineProvisioningQuery,
  TimelineSecurityQuery,
} from './generated/timeline.ts';

type ChangeNode = NonNullable<NonNullable<TimelineChangesQuery['auditLog']>['edges'][number]['node']>;
type SecurityNode = NonNullable<NonNullable<TimelineSecurityQuery['securityLog']>['edges'][number]['node']>;
type RequestNode = NonNullable<TimelineProvisioningQuery['provisioningLog']>['edges'][number]['node'];

export type Log = 'audit' | 'security' | 'provisioning';

/** An event that concerns a user, from any log. */
export interface Entry {
  id: string;
  log: Log;
  at: string;
  action: string;
  actor: ChangeNode['actor'];
  changes: readonly { attribute: string; before: string | null; after: string | null }[];
  detail: string | undefined;
  facts: {
    clientId?: string | null;
    source?: string | null;
    ipAddress?: string | null;
    userAgent?: string | null;
    requestId?: string | null;
    traceId?: string | null;
    resource?: string | null;
  };
  isFailure: boolean;
}

export const ofChange = (node: ChangeNode): Entry => ({
  id: `audit-${node.id}`,
  log: 'audit',
  at: node.occurredAt,
  action: node.action,
  actor: node.actor,
  changes: node.changes,
  detail: node.changes.map(({ attribute }) => attribute).join(', '),
  facts: node,
  isFailure: false,
});

export const ofSecurity = (node: SecurityNode): Entry => ({
  id: `security-${node.id}`,
  log: 'security',
  at: node.occurredAt,
  action: node.action,
  actor: node.actor,
  changes: node.changes,
  detail: node.changes
    .filter(({ after }) => after !== null)
    .slice(0, 3)
    .map(({ attribute, after }) => `${attribute}: ${plain(after)}`)
    .join(', '),
  facts: { ...node, resource: `${node.resourceType} ${node.resourceId}` },
  isFailure: false,
});

/** Formats a value, which logs store as JSON. */
export function plain(value: string | null): string {
  try {
    const read: unknown = JSON.parse(value ?? 'null');
    if (typeof read === 'string') return read;
    if (Array.isArray(read) && read.every((one) => typeof one === 'string')) return read.join(' ');
  } catch {}
  return value ?? '';
}

export const ofRequest = (node: RequestNode): Entry => ({
  id: `provisioning-${node.id}`,
  log: 'provisioning',
  at: node.at,
  action: `${node.method} ${node.status}`,
  actor: node.actor,
  changes: [],
  detail: node.detail ?? node.scimType ?? undefined,
  facts: { requestId: node.requestId, source: node.source.name },
  isFailure: node.status >= 400,
});

/** Loaded entries of one log; `isMore`: older ones exist. */
export interface Stretch {
  entries: readonly Entry[];
  isMore: boolean;
}

/**
 * Merges entries of several logs, newest first. Entries older than the last one of an incompletely loaded log are
 * withheld, because entries of that log may precede them.
 */
export function merged(stretches: readonly Stretch[]): Entry[] {
  const horizon = horizonOf(stretches);
  return stretches
    .flatMap(({ entries }) => entries)
    .filter(({ at }) => horizon === undefined || at >= horizon)
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : a.id < b.id ? 1 : -1));
}

/** Returns the time back to which all logs are loaded; undefined when all are loaded completely. */
export function horizonOf(stretches: readonly Stretch[]): string | undefined {
  return stretches
    .flatMap(({ entries, isMore }) => (isMore ? (entries.at(-1)?.at ?? []) : []))
    .sort()
    .at(-1);
}
