import {
  boundedPageById,
  type GraphContext,
  type PagingArguments,
  requirePrincipal,
  type TypeResolvers,
} from '@ostiary/graph';
import { filterOf, type Given } from '../../subgraph/graph/filters.ts';
import type { SecurityEvent, SecurityLogFilter, SecurityLogReader } from '../domain/security-log.ts';

type Context = GraphContext<unknown>;
interface LogInput extends PagingArguments {
  filter?: Given<SecurityLogFilter & { userId: string }> | null;
}

const asJson = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/**
 * Address and user agent are visible to auditors, and to the subject of an event that the subject caused. The location
 * of administrators stays private.
 */
const seesOrigin = (event: SecurityEvent, { principal }: Context): boolean =>
  principal !== undefined &&
  (principal.scopes.has('audit:read') ||
    (event.actor.kind === 'user' && event.actor.id === principal.subject));

export function securityLogResolvers({ securityLogReader }: { securityLogReader: SecurityLogReader }): {
  SecurityEvent: TypeResolvers<unknown>;
  Query: TypeResolvers<unknown>;
} {
  const log = (tenant: string, filter: SecurityLogFilter, input: PagingArguments) =>
    boundedPageById(input, {
      kind: 'security-log',
      rows: (page) => securityLogReader.page(tenant, filter, page),
      count: () => securityLogReader.count(tenant, filter),
    });
  return {
    SecurityEvent: {
      // Without `audit:read` only the caller's own entries are visible, as in the log.
      __resolveReference: async ({ id }: { id: string }, context: Context) => {
        const { scopes, subject } = requirePrincipal(context);
        const found = (await securityLogReader.find(context.tenant, id)) ?? null;
        return scopes.has('audit:read') || found?.subjectId === subject ? found : null;
      },
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
    Query: {
      securityLog(_parent: unknown, { filter, ...input }: LogInput, context: Context) {
        const { userId, ...rest } = filterOf<SecurityLogFilter & { userId?: string }>(filter);
        const principal = requirePrincipal(context);
        // Without `audit:read` the log is restricted to the caller's own entries, regardless of the filter.
        if (!principal.scopes.has('audit:read')) {
          const { subject } = principal;
          const ofOthers = userId !== undefined && userId.toLowerCase() !== subject;
          if (rest.ipAddress === undefined)
            return log(context.tenant, { ...rest, subjectId: ofOthers ? 'nobody' : subject }, input);
          // A filter on origin must not reveal values that the caller cannot read.
          const byOthers = rest.actorId !== undefined && rest.actorId !== subject;
          const themselves = { actorId: subject, actorKind: 'user' as const };
          const subjectId = ofOthers || byOthers ? 'nobody' : subject;
          return log(context.tenant, { ...rest, ...themselves, subjectId }, input);
        }
        return log(context.tenant, { ...rest, ...(userId !== undefined && { subjectId: userId }) }, input);
      },
    },
  };
}
