import { type GraphContext, requirePrincipal, type TypeResolvers } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import {
  countSecurityEvents,
  type SecurityEvent,
  type SecurityLogFilter,
  securityEvents,
} from '../data/security-log.ts';
import type { PeopleDependencies } from '../people.ts';
import type { AuthLoaders } from './loaders.ts';
import { filterOf, type Given, newestFirst, type PageInput } from './paging.ts';

type Context = GraphContext<AuthLoaders>;
interface LogInput extends PageInput {
  filter?: Given<SecurityLogFilter & { userId: string }> | null;
}

const asJson = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/** Where it came from is for auditors, and for the person themselves if they did it: nobody learns where an administrator sits. */
const seesOrigin = (event: SecurityEvent, { principal }: Context): boolean =>
  principal !== undefined &&
  (principal.scopes.has('audit:read') ||
    (event.actor.kind === 'user' && event.actor.id === principal.subject));

/** What happened to the security of the caller's tenant. */
export function securityLogResolvers(deps: PeopleDependencies): {
  SecurityEvent: TypeResolvers<AuthLoaders>;
  SecurityActor: TypeResolvers<AuthLoaders>;
  Query: TypeResolvers<AuthLoaders>;
} {
  const { sql } = deps.database;
  const log = (tenant: string, filter: SecurityLogFilter, input: PageInput) =>
    newestFirst('security-log', input, {
      page: (page) => securityEvents(sql, tenant, filter, page),
      total: () => countSecurityEvents(sql, tenant, filter),
    });
  return {
    SecurityEvent: {
      user: ({ subjectId }: SecurityEvent) => subjectId && { id: subjectId },
      ipAddress: (event: SecurityEvent, _args: object, context: Context) =>
        seesOrigin(event, context) ? event.ipAddress : null,
      userAgent: (event: SecurityEvent, _args: object, context: Context) =>
        seesOrigin(event, context) ? event.userAgent : null,
      changes: ({ changes }: SecurityEvent) =>
        Object.entries(changes).map(([attribute, { before, after }]) => ({
          attribute,
          before: asJson(before),
          after: asJson(after),
        })),
    },
    SecurityActor: {
      kind: ({ kind }: SecurityEvent['actor']) => kind.toUpperCase(),
      user: ({ kind, id }: SecurityEvent['actor']) => (kind === 'user' && isUuid(id) ? { id } : null),
    },
    Query: {
      securityLog(_parent: unknown, { filter, ...input }: LogInput, context: Context) {
        const { userId, ...rest } = filterOf<SecurityLogFilter & { userId?: string }>(filter);
        const principal = requirePrincipal(context);
        // Without the scope the log is one's own, whatever is asked for.
        if (!principal.scopes.has('audit:read')) {
          const own = userId === undefined || userId.toLowerCase() === principal.subject;
          return log(context.tenant, { ...rest, subjectId: own ? principal.subject : 'nobody' }, input);
        }
        return log(context.tenant, { ...rest, ...(userId !== undefined && { subjectId: userId }) }, input);
      },
    },
  };
}
