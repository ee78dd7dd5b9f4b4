import {
  countedPageById,
  type GraphContext,
  notFound,
  type PagingArguments,
  requirePrincipal,
  type TypeResolvers,
} from '@ostiary/graph';
import type { PeopleDependencies } from '../../composition/people.ts';
import { endGrant, type GrantSummary } from '../../grants/index.ts';
import { type AuthLoaders, filterOf, type Given, once, requireMayActOn } from '../../subgraph/graph/index.ts';
import {
  countGrants,
  countSessions,
  type GrantFilter,
  grantOwner,
  grantPage,
  type SessionFilter,
  sessionPage,
} from '../../upkeep/data/administration.ts';
import type { SessionSummary } from '../domain/session-store.ts';

type Context = GraphContext<AuthLoaders>;

/** The sessions of a whole tenant and of each person, and what was granted in them. */
export function sessionResolvers(deps: PeopleDependencies): {
  User: TypeResolvers<AuthLoaders>;
  Session: TypeResolvers<AuthLoaders>;
  Grant: TypeResolvers<AuthLoaders>;
  Query: TypeResolvers<AuthLoaders>;
  Mutation: TypeResolvers<AuthLoaders>;
} {
  const { sql } = deps.database;
  const idleSeconds = deps.env.SESSION_IDLE_SECONDS;
  const sessionsOf = (input: PagingArguments, filter: SessionFilter, tenant: string) =>
    countedPageById(input, {
      kind: 'session',
      rows: (page) => sessionPage(sql, tenant, filter, { ...page, idleSeconds }),
      total: () => countSessions(sql, tenant, filter, idleSeconds),
    });
  const grantsOf = (input: PagingArguments, filter: GrantFilter, tenant: string) =>
    countedPageById(input, {
      kind: 'grant',
      rows: (page) => grantPage(sql, tenant, filter, page),
      total: () => countGrants(sql, tenant, filter),
    });
  return {
    User: {
      sessionsConnection: ({ id }: { id: string }, input: PagingArguments, { tenant }: Context) =>
        sessionsOf(input, { userId: id }, tenant),
      grantsConnection: ({ id }: { id: string }, input: PagingArguments, { tenant }: Context) =>
        grantsOf(input, { userId: id }, tenant),
    },
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
        { filter: given, ...input }: PagingArguments & { filter?: Given<SessionFilter> | null },
        { tenant }: Context,
      ) {
        return sessionsOf(input, filterOf<SessionFilter>(given), tenant);
      },
      grants(
        _parent: unknown,
        { filter: given, ...input }: PagingArguments & { filter?: Given<GrantFilter> | null },
        { tenant }: Context,
      ) {
        return grantsOf(input, filterOf<GrantFilter>(given), tenant);
      },
    },
    Mutation: {
      revokeGrant(
        _parent: unknown,
        { input }: { input: { id: string; idempotencyKey?: string | null } },
        context: Context,
      ) {
        const { tenant } = context;
        const { id } = input;
        const principal = requirePrincipal(context);
        return once(
          deps,
          context,
          'revokeGrant',
          input,
          async (claim) => {
            const owner = await grantOwner(sql, tenant, id);
            const isOwn = principal.kind === 'user' && principal.subject === owner?.subjectId;
            // Somebody else's grant answers like one that doesn't exist.
            if (!owner || !(isOwn || principal.scopes.has('sessions:write'))) throw notFound('The grant');
            await requireMayActOn(deps, context, owner.subjectId);
            if (!(await endGrant(deps, tenant, id, { reason: 'revoked', claim })))
              throw notFound('The grant');
            return { grantId: id, user: { id: owner.subjectId } };
          },
          (owner) => ({ grantId: id, user: { id: owner } }),
        );
      },
    },
  };
}
