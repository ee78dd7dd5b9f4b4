import {
  boundedPageById,
  type GraphContext,
  type PagingArguments,
  requirePrincipal,
  type TypeResolvers,
} from '@ostiary/graph';
import { filterOf, type Given } from '../../subgraph/graph/index.ts';
import type { SecurityEvent, SecurityLogFilter, SecurityLogReader } from '../domain/security-log.ts';

type Context = GraphContext<unknown>;
interface LogInput extends PagingArguments {
  filter?: Given<SecurityLogFilter & { userId: string }> | null;
}

const asJson = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/** Where it came from is for auditors, and for the person themselves if they did it: nobody learns where an administrator sits. */
const seesOrigin = (event: SecurityEvent, { principal }: Context): boolean =>
  principal !== undefined &&
  (principal.scopes.has('audit:read') ||
    (event.actor.kind === 'user' && event.actor.id === principal.subject));

/** What happened to the security of the caller's tenant. */
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
      // Without the scope, as in the log: what concerns oneself.
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
        // Without the scope the log is one's own, whatever is asked for.
        if (!principal.scopes.has('audit:read')) {
          const { subject } = principal;
          const ofOthers = userId !== undefined && userId.toLowerCase() !== subject;
          if (rest.ipAddress === undefined)
            return log(context.tenant, { ...rest, subjectId: ofOthers ? 'nobody' : subject }, input);
          // Whoever isn't told where it came from must not find it by guessing either.
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
