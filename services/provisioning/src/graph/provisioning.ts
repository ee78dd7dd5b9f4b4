import type { Sql } from '@ostiary/database';
import {
  badUserInput,
  connection,
  decodeCursor,
  encodeCursor,
  type GraphContext,
  pageArguments,
  type Resolvers,
} from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import type { ResourceLink } from '../data/links.ts';
import { findLogEntry, type LogEntry, readLog } from '../data/log.ts';
import { directSource } from '../domain/connector.ts';
import type { Loaders } from './loaders.ts';

interface LogArguments {
  first?: number | null;
  after?: string | null;
  source?: string | null;
  resourceType?: string | null;
  resourceId?: string | null;
  failed?: boolean | null;
  outcome?: string | null;
  since?: Date | null;
  until?: Date | null;
}

type Context = GraphContext<Loaders>;

const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value);

/** What sources have done: the log, and where a user comes from. */
export const provisioningResolvers = (sql: Sql) =>
  ({
    Query: {
      async provisioningLog(_parent: unknown, args: LogArguments, { tenant }: Context) {
        const page = pageArguments(args);
        const before =
          page.after === undefined ? undefined : decodeCursor('provisioningLog', page.after, isId);
        const rows = await readLog(
          sql,
          tenant,
          {
            ...(args.source ? { source: storable(args.source) } : {}),
            ...(args.resourceId ? { resourceId: storable(args.resourceId) } : {}),
            ...(args.resourceType ? { resourceType: typeNames[args.resourceType] as string } : {}),
            ...statusesOf(args),
            ...(args.since ? { since: args.since } : {}),
            ...(args.until ? { until: args.until } : {}),
          },
          { limit: page.first + 1, ...(before === undefined ? {} : { before }) },
        );
        return connection(rows, page, (row) => encodeCursor('provisioningLog', row.id));
      },
      provisioningLogEntry: (_parent: unknown, { id }: { id: string }, { tenant }: Context) =>
        isId(id) ? findLogEntry(sql, tenant, id) : null,
    },
    User: {
      // The directory says who exists; here a user is an id that links may hang on.
      __resolveReference: ({ id }: { id: string }) => ({ id }),
      provisioning: ({ id }: { id: string }, _args: unknown, { loaders }: Context) =>
        loaders.userLinks.load(id),
    },
    Provisioning: {
      source: (link: ResourceLink, _args: unknown, { loaders }: Context) => sourceOf(link.source, loaders),
    },
    ProvisioningLogEntry: {
      source: (entry: LogEntry, _args: unknown, { loaders }: Context) => sourceOf(entry.source, loaders),
    },
  }) satisfies Resolvers<Loaders>;

const typeNames: Readonly<Record<string, string>> = { USER: 'User', GROUP: 'Group' };

const outcomes: Readonly<Record<string, readonly [number, number]>> = {
  SUCCEEDED: [0, 399],
  FAILED: [400, 999],
  FORBIDDEN: [403, 403],
  CONFLICT: [409, 409],
  RATE_LIMITED: [429, 429],
  UNAVAILABLE: [500, 599],
};

function statusesOf({ outcome, failed }: LogArguments): { statuses?: readonly [number, number] } {
  const statuses = outcomes[outcome ?? (failed ? 'FAILED' : '')];
  return statuses ? { statuses } : {};
}

async function sourceOf(id: string, loaders: Loaders): Promise<{ id: string; name: string }> {
  if (id === directSource) return { id, name: 'Direct' };
  const connector = await loaders.connector.load(id);
  return { id, name: connector?.name ?? id };
}

/** @throws BAD_USER_INPUT for a text that PostgreSQL has no way to hold */
function storable(text: string): string {
  if (text.includes('\u0000')) throw badUserInput('A filter must not hold NUL.');
  return text;
}
