import { countedPageById, type GraphContext, type PagingArguments, type TypeResolvers } from '@ostiary/graph';
import { filterOf, type Given } from '../../../platform/subgraph/graph/filters.ts';
import { type Reference, visible } from '../../../platform/subgraph/graph/references.ts';
import type { OwnerFilter } from '../../ownership/domain/credential-owner.ts';
import type { ApiTokenSummary, TokenFilter, TokenList, TokenOwner } from '../domain/token-list.ts';
import type { MachineLoaders } from './loaders.ts';

type Context = GraphContext<MachineLoaders>;
type TokenInput = PagingArguments & {
  filter?: Given<GivenFilter> | null;
};
type GivenFilter = Omit<TokenFilter, 'of' | 'owned'> &
  OwnerFilter & { userId?: string; serviceAccountId?: string };

/** Resolvers of a tenant's personal access tokens and API keys. */
export function tokenResolvers({ tokenList }: { tokenList: TokenList }): {
  PersonalAccessToken: TypeResolvers<MachineLoaders>;
  ApiKey: TypeResolvers<MachineLoaders>;
  Query: TypeResolvers<MachineLoaders>;
} {
  const tokens = (
    kind: string,
    owner: TokenOwner,
    { filter: given, ...input }: TokenInput,
    tenant: string,
  ) => {
    const { userId, serviceAccountId, ownerId, hasOwner, ...rest } = filterOf<GivenFilter>(given);
    const of = userId ?? serviceAccountId;
    const owned: OwnerFilter = {
      ...(ownerId !== undefined && { ownerId }),
      ...(hasOwner !== undefined && { hasOwner }),
    };
    const filter: TokenFilter = { ...rest, owned, ...(of !== undefined && { of }) };
    return countedPageById(input, {
      kind,
      rows: (page) => tokenList.page(tenant, owner, filter, page),
      total: () => tokenList.count(tenant, owner, filter),
    });
  };
  return {
    PersonalAccessToken: {
      __resolveReference: ({ id }: Reference, context: Context) =>
        visible(context, context.loaders.personalAccessTokensById.load(id), ({ ownerId }) => ownerId),
      user: ({ ownerId }: ApiTokenSummary) => ({ id: ownerId }),
    },
    ApiKey: {
      __resolveReference: ({ id }: Reference, { loaders }: Context) => loaders.apiKeysById.load(id),
      serviceAccountId: ({ ownerId }: ApiTokenSummary) => ownerId,
    },
    Query: {
      personalAccessTokens: (_parent: unknown, input: TokenInput, { tenant }: Context) =>
        tokens('personal-access-token', 'subject_id', input, tenant),
      apiKeys: (_parent: unknown, input: TokenInput, { tenant }: Context) =>
        tokens('api-key', 'service_account_id', input, tenant),
    },
  };
}
