import {
  countedPageById,
  type GraphContext,
  notFound,
  type PagingArguments,
  requirePrincipal,
  type TypeResolvers,
} from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import type { ActingDependencies } from '../../../access/roles/graph/acting.ts';
import type { Claim } from '../../../platform/index.ts';
import { filterOf, type Given } from '../../../platform/subgraph/graph/filters.ts';
import { type OnceDependencies, once } from '../../../platform/subgraph/graph/idempotency.ts';
import { type Reference, visible } from '../../../platform/subgraph/graph/references.ts';
import type { SessionFilter, SessionList, SessionSummary } from '../domain/session-list.ts';
import type { SessionRegister } from '../domain/sessions.ts';
import type { SessionLoaders } from './loaders.ts';

type Context = GraphContext<SessionLoaders>;
type Input<T> = { input: T & { idempotencyKey?: string | null } };

export interface SessionGraphDependencies extends OnceDependencies, ActingDependencies {
  sessionList: SessionList;
  sessions: SessionRegister;
  subjects: {
    /** Returns false if the tenant has no such user. */
    signOutEverywhere(tenant: string, id: string, claim?: Claim): Promise<boolean>;
  };
}

/** Resolvers of the sessions of a tenant and of each user. */
export function sessionResolvers(deps: SessionGraphDependencies): {
  User: TypeResolvers<SessionLoaders>;
  Session: TypeResolvers<SessionLoaders>;
  Query: TypeResolvers<SessionLoaders>;
  Mutation: TypeResolvers<SessionLoaders>;
} {
  const page = (input: PagingArguments, filter: SessionFilter, tenant: string) =>
    countedPageById(input, {
      kind: 'session',
      rows: (stretch) => deps.sessionList.page(tenant, filter, stretch),
      total: () => deps.sessionList.count(tenant, filter),
    });
  return {
    User: {
      sessions: ({ id }: Reference, _args: object, { loaders }: Context) =>
        isUuid(id) ? loaders.sessions.load(id) : [],
      sessionsConnection: ({ id }: Reference, input: PagingArguments, { tenant }: Context) =>
        page(input, { userId: id }, tenant),
    },
    Session: {
      __resolveReference: ({ id }: Reference, context: Context) =>
        visible(context, context.loaders.sessionsById.load(id), ({ subjectId }) => subjectId),
      current: (session: SessionSummary, _args: object, { principal }: Context) =>
        principal?.sessionId === session.id,
      user: ({ subjectId }: SessionSummary) => ({ id: subjectId }),
      authenticatedAt: ({ authTime }: SessionSummary) => authTime,
      authenticationMethods: ({ amr }: SessionSummary) => amr,
      authenticationClass: ({ acr }: SessionSummary) => acr,
      apps: ({ id }: SessionSummary, _args: object, { loaders }: Context) => loaders.sessionApps.load(id),
    },
    Query: {
      sessions: (
        _parent: unknown,
        { filter, ...input }: PagingArguments & { filter?: Given<SessionFilter> | null },
        { tenant }: Context,
      ) => page(input, filterOf<SessionFilter>(filter), tenant),
    },
    Mutation: sessionMutations(deps),
  };
}

function sessionMutations(deps: SessionGraphDependencies): TypeResolvers<SessionLoaders> {
  return {
    revokeSession(_parent: unknown, { input }: Input<{ id: string }>, context: Context) {
      const { tenant } = context;
      const { id } = input;
      return once(
        deps,
        context,
        'revokeSession',
        input,
        async (claim) => {
          const owner = await deps.sessions.owner(tenant, id);
          // Another user's session is reported as not found.
          if (owner === undefined || !mayEndSessionsOf(context, owner)) throw notFound('The session');
          await deps.acting.requireMayActOn(context, owner);
          if (!(await deps.sessions.revoke(tenant, id, claim))) throw notFound('The session');
          return { id, sessionId: id };
        },
        () => ({ id, sessionId: id }),
      );
    },
    async revokeAllSessions(
      _parent: unknown,
      { input }: Input<{ userId?: string | null }>,
      context: Context,
    ) {
      const principal = requirePrincipal(context);
      const id = input.userId ?? (principal.kind === 'user' ? principal.subject : undefined);
      if (id === undefined || !mayEndSessionsOf(context, id) || !isUuid(id)) throw notFound('The user');
      await deps.acting.requireMayActOn(context, id);
      return once(
        deps,
        context,
        'revokeAllSessions',
        input,
        async (claim) => {
          if (!(await deps.subjects.signOutEverywhere(context.tenant, id, claim))) throw notFound('The user');
          return { user: { id } };
        },
        () => ({ user: { id } }),
      );
    },
  };
}

function mayEndSessionsOf(context: Context, subjectId: string): boolean {
  const principal = requirePrincipal(context);
  return (
    principal.scopes.has('sessions:write') || (principal.kind === 'user' && principal.subject === subjectId)
  );
}
