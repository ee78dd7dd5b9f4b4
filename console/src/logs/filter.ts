import type { AuditLogFilter, ConnectorLogFilter, SecurityLogFilter } from './generated/logs.ts';
import { type LogName, logNames } from './log-name.ts';
import type { LogSearch } from './log-search.ts';

export const conditionNames = [
  'person',
  'app',
  'resource',
  'actor',
  'action',
  'request',
  'trace',
  'address',
  'since',
  'until',
] as const;
export type ConditionName = (typeof conditionNames)[number];

/** Conditions of the search, common to all logs. */
export type LogFilter = Partial<Record<ConditionName, string>> & { failed?: true };

/** Conditions that each log supports. A log that lacks one is excluded: it would return entries that do not match. */
const understood: Readonly<Record<LogName, ReadonlySet<ConditionName>>> = {
  audit: new Set(conditionNames),
  security: new Set(conditionNames),
  connector: new Set(['app', 'resource', 'actor', 'action', 'request', 'trace', 'address', 'since', 'until']),
  request: new Set(['person', 'resource', 'actor', 'since', 'until']),
};

export function filterOf(search: LogSearch): LogFilter {
  const given = conditionNames.flatMap((name) => (search[name] ? [[name, search[name]] as const] : []));
  return { ...Object.fromEntries(given), ...(search.failed ? { failed: true } : {}) };
}

export interface Scope {
  /** Logs to search. */
  logs: readonly LogName[];
  /** Excluded logs, with the conditions that they do not support. */
  leftOut: readonly { log: LogName; by: readonly (ConditionName | 'failed')[] }[];
}

/** Returns the logs that support the filter. @param may logs that the user may read */
export function scopeOf(filter: LogFilter, wanted: readonly LogName[], may: ReadonlySet<LogName>): Scope {
  const open = logNames.filter((log) => may.has(log) && (wanted.length === 0 || wanted.includes(log)));
  const leftOut = open.flatMap((log) => {
    const by: (ConditionName | 'failed')[] = conditionNames.filter(
      (name) => filter[name] !== undefined && !understood[log].has(name),
    );
    if (filter.failed && log !== 'request') by.push('failed');
    if (filter.person && filter.resource && filter.person !== filter.resource && log !== 'security')
      by.push('resource');
    return by.length === 0 ? [] : [{ log, by }];
  });
  const out = new Set(leftOut.map(({ log }) => log));
  return { logs: open.filter((log) => !out.has(log)), leftOut };
}

const times = ({ since, until }: LogFilter) => ({
  ...(since === undefined ? {} : { since }),
  ...(until === undefined ? {} : { until }),
});

const common = ({ action, actor, app, address, request, trace, ...rest }: LogFilter) => ({
  ...times(rest),
  ...(action === undefined ? {} : { action }),
  ...(actor === undefined ? {} : { actorId: actor }),
  ...(app === undefined ? {} : { clientId: app }),
  ...(address === undefined ? {} : { ipAddress: address }),
  ...(request === undefined ? {} : { requestId: request }),
  ...(trace === undefined ? {} : { traceId: trace }),
});

export const auditFilter = (filter: LogFilter): AuditLogFilter => {
  const resourceId = filter.resource ?? filter.person;
  return { ...common(filter), ...(resourceId === undefined ? {} : { resourceId }) };
};

export const securityFilter = (filter: LogFilter): SecurityLogFilter => ({
  ...common(filter),
  ...(filter.resource === undefined ? {} : { resourceId: filter.resource }),
  ...(filter.person === undefined ? {} : { userId: filter.person }),
});

export const connectorFilter = (filter: LogFilter): ConnectorLogFilter => ({
  ...common(filter),
  ...(filter.resource === undefined ? {} : { connectorId: filter.resource }),
});

/** In the SCIM request log, the actor of an entry is an identity source. */
export const requestFilter = (filter: LogFilter) => {
  const resourceId = filter.resource ?? filter.person;
  return {
    ...times(filter),
    ...(resourceId === undefined ? {} : { resourceId }),
    ...(filter.actor === undefined ? {} : { source: filter.actor }),
    ...(filter.failed ? { outcome: 'FAILED' as const } : {}),
  };
};
