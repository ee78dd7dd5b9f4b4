import {
  countedPageById,
  type GraphContext,
  notFound,
  type PagingArguments,
  requirePrincipal,
  type TypeResolvers,
} from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import { filterOf, type Given } from '../../../platform/subgraph/graph/filters.ts';
import { type OnceDependencies, once } from '../../../platform/subgraph/graph/idempotency.ts';
import { type Reference, visible } from '../../../platform/subgraph/graph/references.ts';
import type { ActingDependencies } from '../../roles/graph/acting.ts';
import { endGrant } from '../domain/grant-ending.ts';
import type { GrantFilter, GrantList } from '../domain/grant-list.ts';
import type { GrantSummary } from '../domain/grant-revocation.ts';
import type { GrantLoaders } from './loaders.ts';

type Context = GraphContext<GrantLoaders>;

export type GrantGraphDependencies = OnceDependencies &
  ActingDependencies &
  Parameters<typeof endGrant>[0] & {
    grantList: GrantList;
    clients: { find(tenant: string, clientId: string): Promise<{ name: string } | null> };
  };

export function grantResolvers(deps: GrantGraphDependencies): {
  User: TypeResolvers<GrantLoaders>;
  Grant: TypeResolvers<GrantLoaders>;
  Query: TypeResolvers<GrantLoaders>;
  Mutation: TypeResolvers<GrantLoaders>;
} {
  const page = (input: PagingArguments, filter: GrantFilter, tenant: string) =>
    countedPageById(input, {
      kind: 'grant',
      rows: (stretch) => deps.grantList.page(tenant, filter, stretch),
      total: () => deps.grantList.count(tenant, filter),
    });
  return {
    User: {
      grants: ({ id }: Reference, _args: object, { loaders }: Context) =>
        isUuid(id) ? loaders.grants.load(id) : [],
      grantsConnection: ({ id }: Reference, input: PagingArguments, { tenant }: Context) =>
        page(input, { userId: id }, tenant),
    },
    Grant: {
      __resolveReference: ({ id }: Reference, context: Context) =>
        visible(context, context.loaders.grantsById.load(id), ({ subjectId }) => subjectId),
      client: ({ clientId }: GrantSummary, _args: object, { tenant }: Context) =>
        deps.clients.find(tenant, clientId),
      clientName: async ({ clientId }: GrantSummary, _args: object, { tenant }: Context) =>
        (await deps.clients.find(tenant, clientId))?.name ?? null,
      user: ({ subjectId }: GrantSummary) => ({ id: subjectId }),
      sessionId: ({ sessionId }: GrantSummary) => sessionId,
    },
    Query: {
      grants: (
        _parent: unknown,
        { filter, ...input }: PagingArguments & { filter?: Given<GrantFilter> | null },
        { tenant }: Context,
      ) => page(input, filterOf<GrantFilter>(filter), tenant),
    },
    Mutation: grantMutations(deps),
  };
}

function grantMutations(deps: GrantGraphDependencies): TypeResolvers<GrantLoaders> {
  return {
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
          const owner = await deps.grantList.owner(tenant, id);
          const isOwn = principal.kind === 'user' && principal.subject === owner?.subjectId;
          // Another user's grant has the same error as one that does not exist.
          if (!owner || !(isOwn || principal.scopes.has('sessions:write'))) throw notFound('The grant');
          await deps.acting.requireMayActOn(context, owner.subjectId);
          if (!(await endGrant(deps, tenant, id, { reason: 'revoked', claim }))) throw notFound('The grant');
          return { id, grantId: id, user: { id: owner.subjectId } };
        },
        (owner) => ({ id, grantId: id, user: { id: owner } }),
      );
    },
  };
}
