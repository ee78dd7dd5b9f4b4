import {
  countedPageById,
  type GraphContext,
  notFound,
  type PagingArguments,
  requirePrincipal,
  type TypeResolvers,
} from '@ostiary/graph';
import { type OnceDependencies, once } from '../../../platform/subgraph/graph/idempotency.ts';
import { type Reference, visible } from '../../../platform/subgraph/graph/references.ts';
import type { ActingDependencies } from '../../roles/graph/acting.ts';
import type { DelegationFilter, DelegationList, DelegationSummary } from '../domain/delegation-list.ts';
import type { Delegations } from '../domain/delegations.ts';
import type { DelegationLoaders } from './delegation-loaders.ts';

type Context = GraphContext<DelegationLoaders>;

export type DelegationGraphDependencies = OnceDependencies &
  ActingDependencies & {
    delegationList: DelegationList;
    delegations: Delegations;
    clients: { find(tenant: string, clientId: string): Promise<{ name: string } | null> };
  };

export function delegationResolvers(deps: DelegationGraphDependencies): {
  User: TypeResolvers<DelegationLoaders>;
  Delegation: TypeResolvers<DelegationLoaders>;
  Mutation: TypeResolvers<DelegationLoaders>;
} {
  const page = (input: PagingArguments, filter: DelegationFilter, tenant: string) =>
    countedPageById(input, {
      kind: 'delegation',
      rows: (stretch) => deps.delegationList.page(tenant, filter, stretch),
      total: () => deps.delegationList.count(tenant, filter),
    });
  const clientOf = ({ clientId }: DelegationSummary, _args: object, { tenant }: Context) =>
    deps.clients.find(tenant, clientId);
  return {
    User: {
      delegations: ({ id }: Reference, input: PagingArguments, { tenant }: Context) =>
        page(input, { userId: id }, tenant),
    },
    Delegation: {
      __resolveReference: ({ id }: Reference, context: Context) =>
        visible(context, context.loaders.delegationsById.load(id), ({ subjectId }) => subjectId),
      client: clientOf,
      clientName: async (...of: Parameters<typeof clientOf>) => (await clientOf(...of))?.name ?? null,
      user: ({ subjectId }: DelegationSummary) => ({ id: subjectId }),
    },
    Mutation: delegationMutations(deps),
  };
}

function delegationMutations(deps: DelegationGraphDependencies): TypeResolvers<DelegationLoaders> {
  return {
    endDelegation(
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
        'endDelegation',
        input,
        async (claim) => {
          const found = await context.loaders.delegationsById.load(id);
          const isOwn = principal.kind === 'user' && principal.subject === found?.subjectId;
          // Another user's delegation has the same error as one that does not exist.
          if (!found || !(isOwn || principal.scopes.has('sessions:write'))) throw notFound('The delegation');
          await deps.acting.requireMayActOn(context, found.subjectId);
          if (!(await deps.delegations.end(tenant, id, { reason: 'ended', claim })))
            throw notFound('The delegation');
          return { id, user: { id: found.subjectId } };
        },
        (owner) => ({ id, user: { id: owner } }),
      );
    },
  };
}
