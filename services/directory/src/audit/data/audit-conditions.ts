import { minUuidv7 } from '@ostiary/service';
import type { Prisma } from '../../database/generated/client.ts';
import type { AuditFilter } from '../domain/audit-log.ts';

/** Maximum difference in milliseconds between the time in an entry's id and its `occurredAt`. */
const clockSlackMs = 3_600_000;

/** The compared columns, in SQL and for the Prisma client. */
const columns = {
  id: { column: 'id', type: 'uuid' },
  occurredAt: { column: 'occurred_at', type: 'timestamptz' },
  resourceId: { column: 'resource_id', type: 'text' },
  resourceType: { column: 'resource_type', type: 'text' },
  actorId: { column: 'actor_id', type: 'text' },
  actorKind: { column: "actor ->> 'kind'", type: 'text', path: ['kind'] },
  onBehalfOf: { column: "actor ->> 'onBehalfOf'", type: 'text', path: ['onBehalfOf'] },
  action: { column: 'action', type: 'text' },
  source: { column: 'source', type: 'text' },
  traceId: { column: 'trace_id', type: 'text' },
  address: { column: 'address', type: 'text' },
  clientId: { column: 'client_id', type: 'text' },
  requestId: { column: 'request_id', type: 'text' },
} as const;

const operators = { equals: '=', gte: '>=', lt: '<' } as const;

interface Condition {
  field: keyof typeof columns;
  is: keyof typeof operators;
  value: string | Date;
}

/** Conditions of a filter on the entries of one tenant, combined by AND. */
export interface AuditConditions {
  tenant: string;
  /** Conditions that an index supports. */
  found: readonly Condition[];
  /** Conditions that are checked on the entries found. */
  rest: readonly Condition[];
}

export function auditConditions(tenant: string, filter: AuditFilter): AuditConditions {
  const equal = (field: keyof typeof columns, value: string | undefined): Condition[] =>
    value === undefined ? [] : [{ field, is: 'equals', value }];
  const { since, until } = filter;
  return {
    tenant,
    found: [
      ...equal('resourceId', filter.resourceId),
      ...equal('actorId', filter.actorId),
      ...equal('address', filter.ipAddress),
      ...equal('address', filter.address),
      ...equal('clientId', filter.clientId),
      ...equal('requestId', filter.requestId),
      ...equal('traceId', filter.traceId),
      // An entry's id contains its time, so the primary key supports the range. The slack allows for corrected
      // clocks.
      ...when(since, (at) => ({ field: 'id', is: 'gte', value: minUuidv7(at.getTime() - clockSlackMs) })),
      ...when(until, (at) => ({ field: 'id', is: 'lt', value: minUuidv7(at.getTime() + clockSlackMs) })),
    ],
    rest: [
      ...equal('action', filter.action),
      ...equal('resourceType', filter.resourceType),
      ...equal('actorKind', filter.actorKind),
      ...equal('onBehalfOf', filter.onBehalfOf),
      ...equal('source', filter.source),
      ...when(since, (at) => ({ field: 'occurredAt', is: 'gte', value: at })),
      ...when(until, (at) => ({ field: 'occurredAt', is: 'lt', value: at })),
    ],
  };
}

const when = (at: Date | undefined, condition: (at: Date) => Condition): Condition[] =>
  at === undefined ? [] : [condition(at)];

/** Returns the conditions for the Prisma client. */
export const asWhere = ({ tenant, found, rest }: AuditConditions): Prisma.AuditEntryWhereInput => ({
  tenant,
  AND: [...found, ...rest].map(({ field, is, value }): Prisma.AuditEntryWhereInput => {
    const known = columns[field];
    return 'path' in known
      ? { actor: { path: [...known.path], equals: String(value) } }
      : { [field]: { [is]: value } };
  }),
});

/** Returns the conditions in SQL, with the values of the parameters. */
export function asSql({ tenant, found, rest }: AuditConditions): {
  found: string;
  rest: string;
  values: unknown[];
} {
  const values: unknown[] = [tenant];
  const term = ({ field, is, value }: Condition): string => {
    const { column, type } = columns[field];
    return `${column} ${operators[is]} $${values.push(value)}::${type}`;
  };
  return {
    found: ['tenant = $1::text', ...found.map(term)].join(' AND '),
    rest: rest.length === 0 ? 'true' : rest.map(term).join(' AND '),
    values,
  };
}
