import { type GraphContext, notFound, requirePrincipal, type TypeResolvers } from '@ostiary/graph';
import { countSessions, grantOwner, type SessionFilter, sessionPage } from '../data/administration.ts';
import type { SessionSummary } from '../data/sessions.ts';
import { endGrant } from '../domain/grant-ending.ts';
import type { GrantSummary } from '../domain/ports.ts';
import type { PeopleDependencies } from '../people.ts';
import { requireMayActOn } from './acting.ts';
import type { AuthLoaders } from './loaders.ts';
import { filterOf, type Given, newestFirst, type PageInput } from './paging.ts';

type Context = GraphContext<AuthLoaders>;

/** The sessions of a whole tenant, and what was granted in them. */
export function sessionResolvers(deps: PeopleDependencies): {
  Session: TypeResolvers<AuthLoaders>;
  Grant: TypeResolvers<AuthLoaders>;
  Query: TypeResolvers<AuthLoaders>;
  Mutation: TypeResolvers<AuthLoaders>;
} {
  const { sql } = deps.database;
  const idleSeconds = deps.env.SESSION_IDLE_SECONDS;
  return {
    Session: {
      user: ({ subjectId }: SessionSummary) => ({ id: subjectId }),
      authenticatedAt: ({ authTime }: SessionSummary) => authTime,
      authenticationMethods: ({ amr }: SessionSummary) => amr,
      authenticationClass: ({ acr }: SessionSummary) => acr,
      apps: ({ id }: SessionSummary, _args: object, { loaders }: Context) => loaders.sessionApps.load(id),
    },
    Grant: {
      client: ({ clientId }: GrantSummary, _args: object, { tenant }: Context) =>
        deps.clients.find(tenant, clientId),
      user: ({ subjectId }: GrantSummary) => ({ id: subjectId }),
      sessionId: ({ sessionId }: GrantSummary) => sessionId,
    },
    Query: {
      sessions(
        _parent: unknown,
        { filter: given, ...input }: PageInput & { filter?: Given<SessionFilter> | null },
        { tenant }: Context,
      ) {
        const filter = filterOf<SessionFilter>(given);
        return newestFirst('session', input, {
          page: (page) => sessionPage(sql, tenant, filter, { ...page, idleSeconds }),
          total: () => countSessions(sql, tenant, filter, idleSeconds),
        });
      },
    },
    Mutation: {
      async revokeGrant(_parent: unknown, { input: { id } }: { input: { id: string } }, context: Context) {
        const { tenant } = context;
        const principal = requirePrincipal(context);
        const owner = await grantOwner(sql, tenant, id);
        const isOwn = principal.kind === 'user' && principal.subject === owner?.subjectId;
        // Somebody else's grant answers like one that doesn't exist.
        if (!owner || !(isOwn || principal.scopes.has('sessions:write'))) throw notFound('The grant');
        await requireMayActOn(deps, context, owner.subjectId);
        if (!(await endGrant(deps, tenant, id, { reason: 'revoked' }))) throw notFound('The grant');
        return { grantId: id, user: { id: owner.subjectId } };
      },
    },
  };
}
